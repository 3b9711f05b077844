import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import { PATHS } from '#domain/path.ts';
import { loadCode } from '#web/shared/http/request.ts';
import { answerPasskeyOffer, isPasskeyOffered } from '#web/shared/passkey/offer.ts';
import { canUsePasskeys } from '#web/shared/passkey/support.ts';
import { Button } from '#web/shared/ui/button.tsx';

/** A row that is shown after a sign-in by code, until the owner has answered it (docs/develop/product.md#passkeys). */
export function PasskeyOffer() {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(() => canUsePasskeys() && isPasskeyOffered());
  const { data: canOffer } = useQuery({
    queryKey: ['platform authenticator'],
    queryFn: () => PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable(),
    enabled: isOpen,
  });
  const close = () => {
    answerPasskeyOffer();
    setOpen(false);
  };
  const add = useMutation({
    mutationFn: async () =>
      (await loadCode(import('#web/shared/passkey/passkey.ts'))).createPasskey(),
    // The Account page asks for the verification that is needed.
    onSuccess: (isAdded) => (isAdded ? setOpen(false) : void navigate(PATHS.account)),
  });
  if (!isOpen || canOffer !== true) return null;
  return (
    <section className="passkey-offer row" aria-label="Sign in without a code next time">
      <p>Sign in without a code next time</p>
      <Button variant="plain" isBusy={add.isPending} onClick={() => add.mutate()}>
        Add a passkey
      </Button>
      <Button variant="plain" onClick={close}>
        Not now
      </Button>
      {add.isError && (
        <p role="alert" className="error">
          {add.error.message}
        </p>
      )}
    </section>
  );
}
