/** TypeScript's library does not declare it (https://w3c.github.io/web-nfc/). */
interface NfcWriter {
  write(
    message: { readonly records: readonly { readonly recordType: 'url'; readonly data: string }[] },
    options: { readonly signal: AbortSignal },
  ): Promise<void>;
}

declare const NDEFReader: new () => NfcWriter;

/** By the name of the error. */
const SENTENCES: Readonly<Record<string, string>> = {
  NotAllowedError: 'The browser may not use NFC. Allow it in the settings of this site.',
  NotSupportedError: 'This phone has no NFC, or this tag cannot store an address.',
  NotReadableError: 'NFC is off. Turn it on in the settings of the phone.',
};
const OTHER_SENTENCE = 'The tag was not written. Hold it still, and try again.';

/** Writes to the next tag that touches the phone. Rejects if it was not written. */
export async function writeNfcTag(url: string, signal: AbortSignal): Promise<void> {
  await new NDEFReader().write({ records: [{ recordType: 'url', data: url }] }, { signal });
}

export function nfcErrorSentence(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  return SENTENCES[name] ?? OTHER_SENTENCE;
}
