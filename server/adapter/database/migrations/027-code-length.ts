/** The digits of a one-time code; null for one that a node of an earlier version has sent. */
export const codeLength = {
  number: 27,
  name: 'code length',
  sql: 'ALTER TABLE challenges ADD COLUMN code_length INTEGER;',
};
