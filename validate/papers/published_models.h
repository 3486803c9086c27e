/* SPDX-License-Identifier: BSD-3-Clause
 * How far a model is from the simulation, where a paper says how far its own was. */
#pragma once

#include "validate/model/predict.h"
#include "validate/papers/published_streams.h"

#include <stdbool.h>

/* The largest error of a model of an algorithm, over what `compare` looks at. */
struct model_error {
  const char *algorithm;
  enum model model;
};

/* Find the value of ERROR on the blade of ASKED in percent, NaN if there is none; its profile is not used.
 * returns: whether it is known, or that there is none. */
bool model_error_value(const struct model_error *error, const struct streams_asked *asked, double *value);
