/** Returns the value below which a share of the values lies. */
export const percentile = (values, share) =>
  values.toSorted((one, other) => one - other)[Math.floor(share * (values.length - 1))];

export const median = (values) => percentile(values, 0.5);

/** Returns a function that draws a rank from 1; rank n has a weight of 1 / n. Each run has the same order. */
export function createZipf(count) {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let index = 0; index < count; index += 1) sums[index] = sum += 1 / (index + 1);
  let seed = 1;
  return () => {
    // The generator of Park and Miller.
    seed = (seed * 48_271) % 2_147_483_647;
    const target = (seed / 2_147_483_647) * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle] < target) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
