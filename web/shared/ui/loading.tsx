import './loading.css';

import type { ReactNode } from 'react';

interface LoadingScreenProps {
  readonly message: string;
  /** A picture of what is being done, above the message. */
  readonly children: ReactNode;
}

export function LoadingScreen({ message, children }: LoadingScreenProps) {
  return (
    <dialog
      ref={showModal}
      className="loading-screen whole-screen"
      aria-label={message}
      onCancel={(event) => event.preventDefault()}
      // Browsers close a dialog at the second Escape even if its cancel event is prevented.
      onClose={({ currentTarget }) => currentTarget.showModal()}
    >
      <div aria-hidden="true">{children}</div>
      <output>{message}</output>
    </dialog>
  );
}

const showModal = (dialog: HTMLDialogElement | null) => dialog?.showModal();

/** Shows a line at the top of the window. A delayed line appears only after 0.3 s. */
export function ProgressLine({ isDelayed = false }: { readonly isDelayed?: boolean }) {
  const className = isDelayed ? 'progress-line progress-line-late' : 'progress-line';
  return <div className={className} aria-hidden="true" />;
}

interface SkeletonProps {
  /** The size of the content as CSS lengths. By default the class determines it. */
  readonly width?: string;
  readonly height?: string;
  readonly className?: string;
  readonly count?: number;
}

export function Skeleton({ width, height, className = '', count = 1 }: SkeletonProps) {
  const style = { inlineSize: width, blockSize: height };
  const shared = { className: `skeleton ${className}`, style, 'aria-hidden': true };
  // oxlint-disable-next-line react/no-array-index-key -- all skeletons are the same
  return Array.from({ length: count }, (_, at) => <span key={at} {...shared} />);
}

export function LoadingStatus({ children }: { readonly children: string }) {
  return <output className="visually-hidden">{children}</output>;
}
