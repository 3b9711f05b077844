/**
 * The product accepts any format on purpose (docs/develop/product.md#connect), but a contact file needs to know
 * whether a text is an email.
 */
export const isEmail = (text: string): boolean => /^[^\s@,;<>"?]+@[^\s@,;<>"?]+$/.test(text);
