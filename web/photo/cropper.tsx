import 'react-image-crop/dist/ReactCrop.css';

import { useState } from 'react';
import type { RefObject } from 'react';
import { ReactCrop } from 'react-image-crop';
import type { PercentCrop } from 'react-image-crop';

import { cropSideMin } from './crop.ts';
import type { Size } from './crop.ts';

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
}

export function Cropper({ url, crop, picture, ...rest }: CropperProps) {
  const [min, setMin] = useState(0);
  const onLoad = (image: HTMLImageElement) => {
    const natural = { width: image.naturalWidth, height: image.naturalHeight };
    setMin(cropSideMin(natural, { width: image.width, height: image.height }));
    rest.onDecoded(natural);
  };
  return (
    <div className="photo-stage">
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
        onChange={(_, percent) => rest.onCrop(percent)}
      >
        <img
          ref={picture}
          className="photo-source"
          src={url}
          alt="The file that you chose"
          onLoad={({ currentTarget }) => onLoad(currentTarget)}
          onError={rest.onDecodeError}
        />
      </ReactCrop>
    </div>
  );
}
