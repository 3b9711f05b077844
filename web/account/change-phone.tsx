import { changePhone } from '#contract/account.ts';
import type { Account } from '#contract/account.ts';

import { CHANGE_PHONE } from './purpose.ts';
import { VerifiedChange } from './verified-change.tsx';

interface ChangePhoneProps {
  readonly account: Account;
  readonly isChanged: boolean;
  readonly onChanged: () => void;
}

/** The phone that the owner signs in with. */
export function ChangePhone({ account, isChanged, onChanged }: ChangePhoneProps) {
  return (
    <section className="account-section" aria-labelledby="account-phone">
      <h2 id="account-phone">Login phone</h2>
      <p>
        You sign in with the number that ends with <b>{account.phoneEnd}</b>. The phone on your card
        is another field and stays as it is.
      </p>
      <VerifiedChange
        account={account}
        name="phone"
        purpose={CHANGE_PHONE}
        endpoint={changePhone}
        submitLabel="Change"
        onDone={(close) => {
          close();
          onChanged();
        }}
      />
      <output className="account-message">{isChanged && CHANGE_PHONE.done}</output>
    </section>
  );
}
