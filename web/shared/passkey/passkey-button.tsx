import { useMutation } from '@tanstack/react-query';

import { Button } from '#web/shared/ui/button.tsx';

import { verifyByPasskey } from './passkey.ts';
import { canUsePasskeys } from './support.ts';

/** Verifies the owner freshly without a code. */
export function PasskeyButton({ onToken }: { readonly onToken: (token: string) => void }) {
  const use = useMutation({ mutationFn: verifyByPasskey, onSuccess: onToken });
  if (!canUsePasskeys()) return null;
  return (
    <div className="verify-passkey">
      <Button isBusy={use.isPending} onClick={() => use.mutate()}>
        Use a passkey
      </Button>
      <p aria-live="polite" className={`note ${use.isError ? 'error' : ''}`}>
        {use.isSuccess ? "It's you." : use.error?.message}
      </p>
    </div>
  );
}
