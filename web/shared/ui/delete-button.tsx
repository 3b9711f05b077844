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
      <Button variant="plain" className="delete-button" isBusy={isBusy} onClick={onClick}>
        {label}
      </Button>
      <output className="delete-failure error">{failure}</output>
    </div>
  );
}
