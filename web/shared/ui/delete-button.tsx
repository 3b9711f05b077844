import './delete-button.css';

import { Button } from './button.tsx';

interface DeleteButtonProps {
  readonly label: string;
  readonly isBusy: boolean;
  /** '' for none. */
  readonly failure: string;
  readonly onClick: () => void;
}

export function DeleteButton({ label, isBusy, failure, onClick }: DeleteButtonProps) {
  return (
    <div>
      <Button variant="plain" className="contact-delete" isBusy={isBusy} onClick={onClick}>
        {label}
      </Button>
      <output className="contact-failure">{failure}</output>
    </div>
  );
}
