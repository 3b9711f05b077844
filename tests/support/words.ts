/** The words of a text, as the values of a test. */
export const words = (text: string) => text.trim().split(/\s+/);
