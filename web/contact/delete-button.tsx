import { Button } from '#web/ui/button.tsx';

import type { useCall } from './use-call.ts';

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
