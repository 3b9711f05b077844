import './home.css';

import { useState } from 'react';
import { useNavigate } from 'react-router';

import type { Contact } from '#contract/contact.ts';
import { firstName } from '#domain/display.ts';
import { PATHS } from '#domain/path.ts';
import type { Profile } from '#domain/profile.ts';
import { contactFileName, writeContactVcard } from '#domain/vcard.ts';
import { ContactActions, ContactSheet, SaveToPhoneButton } from '#web/shared/contact/sheet.tsx';
import { saveBlob } from '#web/shared/http/save-file.ts';
import { settings } from '#web/shared/http/settings.ts';
import { storedId } from '#web/shared/http/storage.ts';
import { useOwner } from '#web/shared/profile/profile.ts';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { contactPhone } from '#web/shared/ui/phone-text.ts';

import advertisement from './advertisement.svg';
import { Connections } from './connections.tsx';
import { MyCard } from './my-card.tsx';
import { NewChip } from './new-contacts.tsx';
import { PasskeyOffer } from './passkey-offer.tsx';
import { QrScreenHost } from './qr-screen.tsx';
import { ShareOptions } from './share-options.tsx';
import { OwnerCardFrame } from './owner-card.tsx';

/** The dashboard (docs/develop/product.md#dashboard). */
export function Page() {
  const profile = useOwner();
  const userId = storedId() ?? '';
  return (
    <QrScreenHost userId={userId} profile={profile}>
      {profile ? <Home profile={profile} /> : <HomeSkeleton userId={userId} />}
    </QrScreenHost>
  );
}

function Home({ profile }: { readonly profile: Profile }) {
  const navigate = useNavigate();
  const [opened, setOpened] = useState<Contact | null>(null);
  const open = (contact: Contact) => {
    if (!settings().views.includes('contacts')) setOpened(contact);
    else void navigate(PATHS.contacts, { state: { contact: contact._id } });
  };
  return (
    <div className="home stack">
      <header className="home-greeting">
        <div>
          <h1 className="clamp">
            Welcome <bdi>{firstName(profile)}</bdi>
          </h1>
          <p className="muted">Start building connections!</p>
        </div>
        <NewChip />
      </header>
      <PasskeyOffer />
      <MyCard profile={profile}>
        <ShareOptions userId={profile._id} />
      </MyCard>
      <div className="home-side stack">
        <Connections onOpen={open} onOpenHeld={setOpened} />
        <img
          className="advertisement"
          src={advertisement}
          width={400}
          height={116}
          loading="lazy"
          alt="Hand it over with one tap. Smart business cards, sold in India only."
        />
      </div>
      {opened && <OpenedContact contact={opened} onClose={() => setOpened(null)} />}
    </div>
  );
}

const VCARD_TYPE = 'text/vcard; charset=utf-8';

function OpenedContact({
  contact,
  onClose,
}: {
  readonly contact: Contact;
  readonly onClose: () => void;
}) {
  const save = async () => {
    const text = writeContactVcard(contact, contactPhone(contact));
    saveBlob(new Blob([text], { type: VCARD_TYPE }), contactFileName(contact.name));
  };
  return (
    <ContactSheet contact={contact} isDialog onClose={onClose}>
      <SaveToPhoneButton save={save} />
      <ContactActions contact={contact} />
    </ContactSheet>
  );
}

function HomeSkeleton({ userId }: { readonly userId: string }) {
  return (
    <div className="home stack">
      <h1 className="visually-hidden">Dashboard</h1>
      <LoadingStatus>Your dashboard is loading</LoadingStatus>
      <div className="home-greeting">
        <Skeleton width="min(100%, 240px)" className="home-skeleton-greeting" />
        <Skeleton className="home-skeleton-line" width="min(100%, 200px)" />
      </div>
      <div className="my-card stack">
        <div className="my-card-head head row">
          <Skeleton className="home-skeleton-title" width="96px" height="28px" />
        </div>
        <OwnerCardFrame userId={userId}>
          <div className="card-person">
            <Skeleton className="portrait home-skeleton-portrait" />
            <div>
              <Skeleton
                className="home-skeleton-name"
                width="70%"
                height="calc(1.14 * var(--text-28))"
              />
              <Skeleton className="home-skeleton-line" width="50%" count={4} />
            </div>
          </div>
        </OwnerCardFrame>
        <div className="my-card-share stack">
          <div className="my-card-actions row">
            <Skeleton className="home-skeleton-action" count={3} />
          </div>
        </div>
      </div>
      <div className="home-side stack">
        <Skeleton height="200px" />
      </div>
    </div>
  );
}
