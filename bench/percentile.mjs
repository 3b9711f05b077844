/** Returns the value below which a share of the values lies. */
export const percentile = (values, share) =>
  values.toSorted((one, other) => one - other)[Math.floor(share * (values.length - 1))];

export const median = (values) => percentile(values, 0.5);
