import './loading.css';

import { useEffect, useRef } from 'react';

/** A loading screen over the whole page while it is mounted. The page behind it is inert. */
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
      className="loading-screen"
      aria-label={message}
      onCancel={(event) => event.preventDefault()}
      // Browsers close a dialog at the second Escape even if its cancel event is prevented.
      onClose={() => element.current?.showModal()}
    >
      <LoadingTiles />
      <output>{message}</output>
    </dialog>
  );
}

function LoadingTiles() {
  return (
    <div className="loading-tiles" aria-hidden="true">
      <i />
      <i />
      <i />
      <i />
    </div>
  );
}

interface ProgressLineProps {
  /** Whether it appears only after a moment. */
  readonly isDelayed?: boolean;
}

/** The line at the top of the window while something loads or is saved. */
export function ProgressLine({ isDelayed = false }: ProgressLineProps) {
  const className = isDelayed ? 'progress-line progress-line-late' : 'progress-line';
  return <div className={className} aria-hidden="true" />;
}

interface SkeletonProps {
  /** The class with the size and shape of the content. */
  readonly className: string;
}

/** A placeholder block in the shape of content that is loading. */
export function Skeleton({ className }: SkeletonProps) {
  return <span className={`skeleton ${className}`} aria-hidden="true" />;
}

/** Announces to screen readers what is loading. */
export function LoadingStatus({ children }: { readonly children: string }) {
  return <output className="visually-hidden">{children}</output>;
}
