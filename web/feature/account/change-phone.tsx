import { changePhone } from '#contract/account.ts';
import type { Account } from '#contract/account.ts';
import { send } from '#web/shared/http/call.ts';
import { settings } from '#web/shared/http/settings.ts';
import { CHANGE_PHONE, loginPhoneText } from '#web/shared/otp/purpose.ts';

import { Section } from './section.tsx';
import { VerifiedChange } from './verified-change.tsx';

interface ChangePhoneProps {
  readonly account: Account;
  readonly isChanged: boolean;
  readonly onChanged: () => void;
}

export function ChangePhone({ account, isChanged, onChanged }: ChangePhoneProps) {
  const { supportEmail } = settings();
  return (
    <Section
      icon="phone"
      title="Login phone"
      text={
        <>{loginPhoneText(account)} The phone on your card is another field and stays as it is.</>
      }
    >
      <VerifiedChange
        account={account}
        purpose={CHANGE_PHONE}
        step="present"
        phones={[
          { group: CHANGE_PHONE.present, hint: loginPhoneText(account) },
          { group: CHANGE_PHONE.new, label: 'New phone number', hint: '' },
        ]}
        submitLabel="Change"
        send={([token, newToken]) => send(changePhone, { body: { token, newToken } })}
        onDone={onChanged}
      >
        <p>
          {CHANGE_PHONE.lost} <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
        </p>
      </VerifiedChange>
      <output className="account-message message">{isChanged && CHANGE_PHONE.done}</output>
    </Section>
  );
}
