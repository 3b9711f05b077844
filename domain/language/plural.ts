/** A sentence with `{count}` in each plural form of its language (Intl.PluralRules). */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** Fills the places in braces. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

export function pluralText(language: string, plural: Plural, count: number): string {
  const form = new Intl.PluralRules(language).select(count);
  return fillText(plural[form] ?? plural.other, { count });
}
