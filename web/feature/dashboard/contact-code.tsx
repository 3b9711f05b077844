import './contact-code.css';

import { useQuery } from '@tanstack/react-query';

import { writeContactCode } from '#domain/contact-code.ts';
import { readPhone } from '#domain/phone.ts';
import type { Profile } from '#domain/profile.ts';
import { CALL_LINK_HEADER } from '#contract/user.ts';
import { isSignedIn } from '#web/shared/http/query.ts';
import { settings } from '#web/shared/http/settings.ts';
import { cardLink } from '#web/shared/profile/card.ts';
import { extrasQuery, useCallLink } from '#web/shared/profile/profile.ts';

/** Returns the extras, which this also keeps on the device, if the card can have a second phone. */
export function useExtras() {
  const hasPhone = settings().cardExtras?.includes('phone') ?? false;
  const { data } = useQuery({ ...extrasQuery(), enabled: () => hasPhone && isSignedIn() });
  return hasPhone ? data : undefined;
}

/** Returns the contact as a vCard from what this device has kept, or null if it has kept no profile. */
export function useContactCode(profile: Profile | null): string | null {
  const callLink = useCallLink({ phone: profile?.phone ?? '' });
  const extras = useExtras();
  if (profile === null) return null;
  const second = extras?.body.phone ?? '';
  return writeContactCode({
    ...profile,
    phone: dialledPhones(profile.phone, callLink),
    secondPhone: dialledPhones(second, extras?.headers[CALL_LINK_HEADER] ?? null),
    link: cardLink(profile._id),
  });
}

const E164_LINK = /^tel:(\+\d+)$/;

/** Only the server knows which numbers are valid, so the first one comes from its link. */
function dialledPhones(phone: string, callLink: string | null): readonly string[] {
  const [first = phone, ...others] = readPhone(phone).numbers;
  return [E164_LINK.exec(callLink ?? '')?.[1] ?? first, ...others];
}

interface CodeChoiceProps {
  readonly isOffline: boolean;
  readonly canBeOffline: boolean;
  readonly onChoose: (isOffline: boolean) => void;
}

export function CodeChoice({ isOffline, canBeOffline, onChoose }: CodeChoiceProps) {
  const radio = (name: string, choosesOffline: boolean) => (
    <label className="row">
      <input
        type="radio"
        name="code"
        checked={isOffline === choosesOffline}
        disabled={choosesOffline && !canBeOffline}
        onChange={() => onChoose(choosesOffline)}
      />
      {name}
    </label>
  );
  return (
    <fieldset className="qr-choice row">
      <legend className="visually-hidden">Code</legend>
      {radio('Card', false)}
      {radio('Without internet', true)}
    </fieldset>
  );
}
