/** A second phone and e-mail and links of the owner's own, as JSON (docs/product.md#more-on-your-card). */
export const moreExtras = {
  number: 32,
  name: 'more-extras',
  sql: ['second_phone', 'second_email', 'links']
    .map((column) => `ALTER TABLE extras ADD COLUMN ${column} TEXT NOT NULL DEFAULT '';`)
    .join('\n'),
  onlyAdds: true,
} as const;
