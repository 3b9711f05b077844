import { useRef } from 'react';

import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

import { Chooser } from './chooser.tsx';
import { useChosen } from './chosen.ts';
import { sourceSquare } from './crop.ts';
import { Cropper } from './cropper.tsx';
import { Progress } from './progress.tsx';
import { useSending } from './sending.ts';
import type { Sent } from './sending.ts';

interface PhotoDialogProps {
  readonly onSent: (sent: Sent) => void;
  readonly onClose: () => void;
}

/** The photo editor: choose a file, crop, Save (specification, sections 2 and 5). */
export function PhotoDialog({ onSent, onClose }: PhotoDialogProps) {
  const { url, crop, note, ...chosen } = useChosen();
  const picture = useRef<HTMLImageElement>(null);
  const { state, send, stop } = useSending(onSent);
  const isSending = state.kind === 'sending';

  const close = () => {
    stop();
    onClose();
  };
  const save = () => {
    const image = picture.current;
    if (!image || !crop) return;
    const natural = { width: image.naturalWidth, height: image.naturalHeight };
    void send(image, sourceSquare(crop, natural));
  };

  return (
    <Dialog title="Edit photo" onClose={close}>
      {url === null ? (
        <Chooser note={note} onNote={chosen.setNote} onChoose={chosen.choose} />
      ) : (
        <Cropper
          url={url}
          crop={crop}
          isDisabled={isSending}
          picture={picture}
          onCrop={chosen.setCrop}
          onOpened={chosen.opened}
          onUnreadable={chosen.unreadable}
        />
      )}
      {url !== null && <Progress state={state} />}
      <div className="dialog-actions">
        {url === null || isSending ? (
          <Button onClick={close}>Cancel</Button>
        ) : (
          <Button onClick={() => chosen.clear()}>Choose another</Button>
        )}
        <Button look="main" isBusy={isSending} disabled={!crop} onClick={save}>
          Save
        </Button>
      </div>
    </Dialog>
  );
}
