import './loading.css';

import { useEffect, useRef } from 'react';

/** The page behind it is inert. */
export function LoadingScreen({ message }: { readonly message: string }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      className="loading-screen whole-screen"
      aria-label={message}
      onCancel={(event) => event.preventDefault()}
      // Browsers close a dialog at the second Escape even if its cancel event is prevented.
      onClose={() => element.current?.showModal()}
    >
      <div className="loading-tiles" aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
      </div>
      <output>{message}</output>
    </dialog>
  );
}

/** A delayed one appears only after a moment. */
export function ProgressLine({ isDelayed = false }: { readonly isDelayed?: boolean }) {
  const className = isDelayed ? 'progress-line progress-line-late' : 'progress-line';
  return <div className={className} aria-hidden="true" />;
}

interface SkeletonProps {
  /** The size of the content, in lengths of CSS. Default: that of its class. */
  readonly width?: string;
  readonly height?: string;
  readonly className?: string;
  readonly count?: number;
}

export function Skeleton({ width, height, className = '', count = 1 }: SkeletonProps) {
  const style = { inlineSize: width, blockSize: height };
  const shared = { className: `skeleton ${className}`, style, 'aria-hidden': true };
  // oxlint-disable-next-line react/no-array-index-key -- they are all the same
  return Array.from({ length: count }, (_, at) => <span key={at} {...shared} />);
}

export function LoadingStatus({ children }: { readonly children: string }) {
  return <output className="visually-hidden">{children}</output>;
}
