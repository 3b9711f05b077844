/** Returns the value below which a share of the values lies. */
export const percentile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))];

/** Returns the median of an odd number of values. */
export const median = (values) => percentile(values, 0.5);
