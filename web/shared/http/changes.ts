type Value = string | number | null | undefined;

/** The values of a form that a person has changed, and no others, in a tree shaped like the saved data. */
export type Changes = { readonly [key: string]: Value | Changes };

/** Compares two values. `path` leads to the value, and `branch` is the part of the changes that contains it. */
export type IsSame = (
  changed: Value,
  saved: Value,
  place: { readonly path: readonly string[]; readonly branch: Changes },
) => boolean;

const isTree = (value: unknown): value is Changes => typeof value === 'object' && value !== null;

export const isEmpty = (changes: Changes): boolean => Object.keys(changes).length === 0;

/** Returns the saved data with the changes applied, value by value. */
export function applyChanges<Saved extends object>(saved: Saved, changes: Changes): Saved {
  const before = saved as Changes;
  const changed = Object.entries(changes).flatMap(([key, change]) => {
    if (change === undefined) return [];
    const branch = before[key];
    return [[key, isTree(change) ? applyChanges(isTree(branch) ? branch : {}, change) : change]];
  });
  return { ...saved, ...(Object.fromEntries(changed) as Partial<Saved>) };
}

/** Returns the changes without the values that `saved` already contains. A branch that `saved` lacks stays whole. */
export function omitEqual<Changed extends Changes>(
  changes: Changed,
  saved: object,
  isSame: IsSame = Object.is,
): Changed {
  const values = saved as Changes;
  const others = Object.entries(changes).flatMap(([key, change]): [string, unknown][] => {
    const value = values[key];
    if (isTree(change)) {
      const isSameInside: IsSame = (one, other, { path, branch }) =>
        isSame(one, other, { path: [key, ...path], branch });
      const branch = isTree(value) ? omitEqual(change, value, isSameInside) : change;
      return isEmpty(branch) ? [] : [[key, branch]];
    }
    if (change === undefined || isTree(value)) return [];
    return isSame(change, value, { path: [key], branch: changes }) ? [] : [[key, change]];
  });
  return Object.fromEntries(others) as Changed;
}
