import { useEffect, useRef, useState } from 'react';

import { Button, LineIcon } from '#web/shared/ui/button.tsx';
import { Dialog } from '#web/shared/ui/dialog.tsx';

/** TypeScript's library does not declare it (https://w3c.github.io/web-nfc/). */
declare const NDEFReader: new () => {
  write(message: object, options: { readonly signal: AbortSignal }): Promise<void>;
};

const WAITING = 'Hold a tag to the back of your phone until it is written.';
const WRITTEN = 'The tag is written. A phone that touches it opens your card.';
/** By the name of the error. */
const ERRORS: Readonly<Record<string, string>> = {
  NotAllowedError: 'The browser may not use NFC. Allow it in the settings of this site.',
  NotSupportedError: 'This phone has no NFC, or this tag cannot store an address.',
  NotReadableError: 'NFC is off. Turn it on in the settings of the phone.',
};
const OTHER_ERROR = 'The tag was not written. Hold it still, and try again.';

/** The caller checks that the browser has Web NFC. */
export function NfcButton({ link }: { readonly link: string }) {
  const [message, setMessage] = useState('');
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const write = async () => {
    stop.current?.abort();
    const { signal } = (stop.current = new AbortController());
    setMessage(WAITING);
    try {
      const records = [{ recordType: 'url', data: link }];
      await new NDEFReader().write({ records }, { signal });
      if (!signal.aborted) setMessage(WRITTEN);
    } catch (error) {
      const name = error instanceof Error ? error.name : '';
      if (!signal.aborted) setMessage(ERRORS[name] ?? OTHER_ERROR);
    }
  };
  const close = () => {
    stop.current?.abort();
    setMessage('');
  };
  return (
    <>
      <button type="button" className="text-button" onClick={() => void write()}>
        <LineIcon name="nfc" />
        Write to an NFC tag
      </button>
      {message !== '' && (
        <Dialog title="NFC tag" onClose={close}>
          {message === WAITING || message === WRITTEN ? (
            <output>{message}</output>
          ) : (
            <>
              <p role="alert">{message}</p>
              <Button onClick={() => void write()}>Try again</Button>
            </>
          )}
        </Dialog>
      )}
    </>
  );
}
