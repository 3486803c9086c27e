/* SPDX-License-Identifier: BSD-3-Clause
 * The error of a model against the simulation, for papers with a published error of the model. */
#pragma once

#include "validate/model/predict.h"
#include "validate/papers/published_streams.h"

#include <stdbool.h>

/* The largest error of a model of an algorithm, over the points of `compare`. */
struct model_error {
  const char *algorithm;
  enum model model;
};

/* Find the value of ERROR on the blade of ASKED in percent, NaN if there is no value; the profile of ASKED is
 * not used.
 * returns: false while results are missing; true with a value or without. */
bool model_error_value(const struct model_error *error, const struct streams_asked *asked, double *value);
