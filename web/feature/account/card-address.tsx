import { useState } from 'react';

import { useMutation, useQuery } from '@tanstack/react-query';

import { updateCardAddress } from '#contract/card-address.ts';
import { send } from '#web/shared/http/call.ts';
import { queryClient } from '#web/shared/http/query.ts';
import { addressQuery, cardOrigin } from '#web/shared/profile/card.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { onSubmit } from '#web/shared/ui/field.tsx';

import { Section } from './section.tsx';

const MESSAGE_ID = 'card-address-message';

/** docs/product.md#card-address. */
export function CardAddress() {
  const { data } = useQuery(addressQuery());
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
  const onType = (value: string) => {
    change.reset();
    setTyped(value);
  };
  const done = name === null ? 'Your card has no address now.' : 'Saved. Copy Link has it.';
  return (
    <Section
      isGroup
      icon="link"
      title="Card address"
      text="A link that you can say aloud. You can choose a new one twice a year; QR codes stay as they are."
    >
      <form className="account-address row" onSubmit={onSubmit(() => change.mutate(text))}>
        <AddressInput value={text} disabled={!data} isInvalid={change.isError} onChange={onType} />
        <Button type="submit" isBusy={change.isPending}>
          Save address
        </Button>
        {name !== null && (
          <Button variant="plain" isBusy={change.isPending} onClick={() => change.mutate(null)}>
            Remove address
          </Button>
        )}
      </form>
      <p
        id={MESSAGE_ID}
        aria-live="polite"
        className={`account-message message ${change.isError ? 'error' : ''}`}
      >
        {change.isError ? change.error.message : change.isSuccess && done}
      </p>
      {former.length > 0 && (
        <p className="note">
          Nobody else can take what you had before: {former.map((one) => `@${one}`).join(', ')}.
        </p>
      )}
    </Section>
  );
}

interface AddressInputProps {
  readonly value: string;
  readonly disabled: boolean;
  readonly isInvalid: boolean;
  readonly onChange: (value: string) => void;
}

function AddressInput({ isInvalid, onChange, ...attributes }: AddressInputProps) {
  return (
    <label className="field-input row">
      <span className="muted">{new URL(cardOrigin()).host}/@</span>
      <input
        {...attributes}
        aria-label="Card address"
        aria-describedby={MESSAGE_ID}
        aria-invalid={isInvalid || undefined}
        maxLength={100}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}
