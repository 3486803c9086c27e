/* SPDX-License-Identifier: BSD-3-Clause
 * The error of a model against the simulation, for papers with a published error of the model. */
#pragma once

#include "validate/model/predict.h"
#include "validate/papers/published_streams.h"

#include <stdbool.h>

/* The largest error of a model of an algorithm, over what `compare` looks at; without an algorithm the
 * correlation of the model with the simulation, over all algorithms. */
struct model_error {
  const char *algorithm; /* NULL: all */
  enum model model;
};

/* Find the value of ERROR on the blade of ASKED, an error in percent, NaN if there is none; its profile is
 * not used.
 * returns: whether it is known, or that there is none. */
bool model_error_value(const struct model_error *error, const struct streams_asked *asked, double *value);
