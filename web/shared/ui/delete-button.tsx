import './delete-button.css';

import type { useCall } from '#web/shared/http/use-call.ts';

import { Button } from './button.tsx';

interface DeleteButtonProps extends Pick<ReturnType<typeof useCall>, 'isBusy' | 'failure'> {
  readonly label: string;
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
