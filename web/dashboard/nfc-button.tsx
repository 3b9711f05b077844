import { useEffect, useRef, useState } from 'react';

import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { LineIcon } from '#web/ui/line-icon.tsx';

import { nfcErrorSentence, writeNfcTag } from './nfc.ts';

type Writing =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'written' }
  | { readonly kind: 'failed'; readonly sentence: string };

/** The caller checks that the browser has Web NFC. */
export function NfcButton({ link }: { readonly link: string }) {
  const [writing, setWriting] = useState<Writing | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const close = () => {
    stop.current?.abort();
    setWriting(null);
  };
  const write = async () => {
    stop.current?.abort();
    const controller = new AbortController();
    stop.current = controller;
    setWriting({ kind: 'waiting' });
    try {
      await writeNfcTag(link, controller.signal);
      if (!controller.signal.aborted) setWriting({ kind: 'written' });
    } catch (error) {
      if (controller.signal.aborted) return;
      setWriting({ kind: 'failed', sentence: nfcErrorSentence(error) });
    }
  };

  return (
    <>
      <button type="button" className="text-button" onClick={() => void write()}>
        <LineIcon name="nfc" />
        Write to an NFC tag
      </button>
      {writing && (
        <Dialog title="NFC tag" onClose={close}>
          {writing.kind === 'waiting' && (
            <output>Hold a tag to the back of your phone until it is written.</output>
          )}
          {writing.kind === 'written' && (
            <output>The tag is written. A phone that touches it opens your card.</output>
          )}
          {writing.kind === 'failed' && (
            <>
              <p role="alert">{writing.sentence}</p>
              <Button onClick={() => void write()}>Try again</Button>
            </>
          )}
        </Dialog>
      )}
    </>
  );
}
