/** Something that stops the start; its message is a sentence for the person at the terminal. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
