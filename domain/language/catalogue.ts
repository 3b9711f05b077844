import type { en } from './en.ts';
import type { Plural } from './plural.ts';

type Translated<Texts> = {
  readonly [Key in keyof Texts]: Texts[Key] extends string
    ? string
    : Texts[Key] extends Plural
      ? Plural
      : Translated<Texts[Key]>;
};

/** Every text that a visitor sees (docs/develop/recipes.md#language). */
export type Catalogue = Translated<typeof en>;
