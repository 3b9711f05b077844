import './loading.css';

import { useEffect, useRef } from 'react';

/** A loading screen over everything, for as long as it is drawn. Nothing behind it can be reached. */
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
      // A second Escape closes a dialog whatever its cancel event says.
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
