import { useId, useRef, useState } from 'react';
import type { RefObject, TouchEvent, TouchList } from 'react';
import { ReactCrop } from 'react-image-crop';
import type { PercentCrop } from 'react-image-crop';

import { IMAGE_HINT, IMAGE_SIZE_BYTES_MAX, IMAGE_TOO_LARGE_NOTE, isHeic } from '#domain/photo.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { TileIcon } from '#web/shared/ui/note-box.tsx';

import { WHOLE_PERCENT, cropSideMin, cropZoom, resizeCrop, zoomCrop } from './crop.ts';
import type { Size } from './crop.ts';

/** HEIC is not listed, so that an iPhone converts a HEIC photo to JPEG. */
const ACCEPTED_TYPES = 'image/jpeg,image/png,image/webp';

const NOT_A_PICTURE_ERROR = "We can't read this file. Choose a JPG or PNG.";
const HEIC_ERROR = "This browser can't open HEIC photos. Save yours as a JPG, then choose that.";

/** Returns why a file could not be decoded. Its bytes are checked, because HEIC photos are often named .jpg. */
export async function decodeError(file: Blob): Promise<string> {
  const isNamedHeic =
    /^image\/hei[cf]/.test(file.type) || (file instanceof File && /\.hei[cf]$/i.test(file.name));
  const hasHeicBytes = isHeic(new Uint8Array(await file.arrayBuffer()));
  return isNamedHeic || hasHeicBytes ? HEIC_ERROR : NOT_A_PICTURE_ERROR;
}

interface FilePickerProps {
  readonly error: string;
  readonly onError: (error: string) => void;
  readonly onChoose: (file: File) => void;
}

/** Lets the user choose a file. The input covers the whole area, so a file can also be dropped on it. */
export function FilePicker({ error, onError, onChoose }: FilePickerProps) {
  const id = useId();
  const choose = (file: File) => {
    const isTooLarge = file.size > IMAGE_SIZE_BYTES_MAX;
    onError(isTooLarge ? IMAGE_TOO_LARGE_NOTE : '');
    if (!isTooLarge) onChoose(file);
  };
  return (
    <>
      <label className="photo-drop">
        <input
          type="file"
          className="photo-file"
          accept={ACCEPTED_TYPES}
          aria-describedby={id}
          onChange={({ target }) => {
            for (const file of target.files ?? []) choose(file);
            // Otherwise choosing the same file again fires no event.
            target.value = '';
          }}
        />
        <TileIcon name="camera" />
        <span className="photo-drop-label">Choose a file</span>
      </label>
      <p id={id} className="photo-hint note row">
        <span>{IMAGE_HINT}</span>
        <output className="photo-error error">{error}</output>
      </p>
    </>
  );
}

const ARIA_LABELS = {
  cropArea: 'Move the crop with the arrow keys',
  nwDragHandle: 'Resize from the top left with the arrow keys',
  nDragHandle: 'Resize from the top with the arrow keys',
  neDragHandle: 'Resize from the top right with the arrow keys',
  eDragHandle: 'Resize from the right with the arrow keys',
  seDragHandle: 'Resize from the bottom right with the arrow keys',
  sDragHandle: 'Resize from the bottom with the arrow keys',
  swDragHandle: 'Resize from the bottom left with the arrow keys',
  wDragHandle: 'Resize from the left with the arrow keys',
};

interface CropperProps {
  readonly url: string;
  readonly crop: PercentCrop | undefined;
  readonly isDisabled: boolean;
  readonly picture: RefObject<HTMLImageElement | null>;
  readonly onCrop: (crop: PercentCrop) => void;
  readonly onDecoded: (natural: Size) => void;
  readonly onDecodeError: () => void;
  /** Turns the picture. It is undefined if the browser does not let pages read pictures. */
  readonly onTurn: (() => void) | undefined;
}

export function Cropper({ url, crop, picture, onCrop, ...rest }: CropperProps) {
  const [min, setMin] = useState(0);
  const [natural, setNatural] = useState<Size | null>(null);
  const pinch = usePinch(crop, natural, onCrop);
  const onLoad = (image: HTMLImageElement) => {
    const size = { width: image.naturalWidth, height: image.naturalHeight };
    setMin(cropSideMin(size, { width: image.width, height: image.height }));
    setNatural(size);
    rest.onDecoded(size);
  };
  return (
    <>
      <div className="photo-stage" {...pinch.handlers}>
        <ReactCrop
          className="photo-crop"
          circularCrop
          keepSelection
          aspect={1}
          minWidth={min}
          minHeight={min}
          disabled={rest.isDisabled}
          ariaLabels={ARIA_LABELS}
          {...(crop && { crop })}
          renderSelectionAddon={() => <div className="photo-arch" />}
          onChange={(_, percent) => !pinch.isActive() && onCrop(percent)}
        >
          <img
            ref={picture}
            className="photo-source"
            src={url}
            alt="The file you chose"
            onLoad={({ currentTarget }) => onLoad(currentTarget)}
            onError={rest.onDecodeError}
          />
        </ReactCrop>
      </div>
      {crop && natural && (
        <div className="photo-tools row">
          <label className="photo-zoom row">
            Zoom
            <input
              type="range"
              min={0}
              max={1}
              step={0.01}
              value={cropZoom(crop, natural)}
              disabled={rest.isDisabled}
              onChange={({ target }) => onCrop(zoomCrop(crop, Number(target.value), natural))}
            />
          </label>
          {rest.onTurn && (
            <Button variant="plain" disabled={rest.isDisabled} onClick={rest.onTurn}>
              Turn
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function usePinch(
  crop: PercentCrop | undefined,
  natural: Size | null,
  onCrop: (crop: PercentCrop) => void,
) {
  /** The crop and the distance at the touch of the second finger, until the last finger is lifted. */
  const pinch = useRef<{ readonly crop: PercentCrop; readonly distance: number } | null>(null);
  const onTouchStart = ({ touches }: TouchEvent) => {
    if (touches.length === 2 && crop) pinch.current = { crop, distance: distance(touches) };
  };
  const onTouchMove = ({ touches }: TouchEvent) => {
    if (!pinch.current || !natural || touches.length !== 2) return;
    const { crop: start, distance: first } = pinch.current;
    const side = (start.width / WHOLE_PERCENT) * natural.width;
    onCrop(resizeCrop(start, (side * distance(touches)) / first, natural));
  };
  const onTouchEnd = ({ touches }: TouchEvent) => {
    if (touches.length === 0) pinch.current = null;
  };
  const handlers = { onTouchStart, onTouchMove, onTouchEnd, onTouchCancel: onTouchEnd };
  return { handlers, isActive: () => pinch.current !== null };
}

function distance(touches: TouchList): number {
  const [a, b] = [touches.item(0), touches.item(1)];
  return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
}
