import { useState } from 'react';
import type { ChangeEvent, ComponentProps } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';

import { updateCardAddress } from '#contract/card-address.ts';
import { send } from '#web/shared/http/call.ts';
import { queryClient } from '#web/shared/http/query.ts';
import { addressQuery, cardOrigin } from '#web/shared/profile/card.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { onSubmit } from '#web/shared/ui/field.tsx';
import { LoadState } from '#web/shared/ui/note-box.tsx';

import { Section } from './section.tsx';

const MESSAGE_ID = 'card-address-message';

const savedText = (name: string | null) =>
  name === null ? 'Your card no longer has a link of its own.' : 'Saved. Copy Link now uses it.';

/** docs/develop/product.md#card-link. */
export function CardAddress() {
  const query = useQuery(addressQuery());
  const { data } = query;
  const [typed, setTyped] = useState<string | null>(null);
  const change = useMutation({
    mutationFn: (name: string | null) => send(updateCardAddress, { body: { name } }),
    onSuccess: (answer) => {
      queryClient.setQueryData(addressQuery().queryKey, answer);
      setTyped(null);
    },
  });
  const { name, former } = data?.body ?? { name: null, former: [] };
  const text = typed ?? name ?? '';
  const onType = ({ target }: ChangeEvent<HTMLInputElement>) => {
    change.reset();
    setTyped(target.value);
  };
  return (
    <Section
      isGroup
      icon="link"
      title="Card link"
      text="A link you can say out loud. You can change it twice a year. QR codes you've printed keep working."
    >
      <LoadState
        query={query}
        loading="Your card link is loading"
        sentence="We couldn't load your card link."
      />
      <form className="account-address row" onSubmit={onSubmit(() => change.mutate(text))}>
        <AddressInput
          value={text}
          disabled={!data}
          aria-invalid={change.isError}
          onChange={onType}
        />
        <Button type="submit" isBusy={change.isPending} disabled={!data}>
          Save link
        </Button>
        {name !== null && (
          <Button variant="plain" isBusy={change.isPending} onClick={() => change.mutate(null)}>
            Remove link
          </Button>
        )}
      </form>
      <p
        id={MESSAGE_ID}
        aria-live="polite"
        className={`account-message message ${change.isError ? 'error' : ''}`}
      >
        {change.isError ? change.error.message : change.isSuccess && savedText(name)}
      </p>
      {former.length > 0 && (
        <p className="note">
          Nobody else can take what you had before: {former.map((one) => `@${one}`).join(', ')}.
        </p>
      )}
    </Section>
  );
}

function AddressInput(attributes: ComponentProps<'input'>) {
  return (
    <label className="field-input row">
      <span className="muted">{new URL(cardOrigin()).host}/@</span>
      <input
        {...attributes}
        aria-label="Card link"
        aria-describedby={MESSAGE_ID}
        maxLength={100}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
      />
    </label>
  );
}
