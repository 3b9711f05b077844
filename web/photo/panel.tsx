import './photo.css';

import { useState } from 'react';

import type { Profile } from '#domain/profile.ts';
import { Portrait } from '#view/portrait.tsx';
import { loadProfile, replaceProfile, useProfile } from '#web/http/profile.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

import { useObjectUrl } from './object-url.ts';
import { PhotoDialog } from './photo-dialog.tsx';
import type { Sent } from './sending.ts';
import { uploadPhoto } from './upload.ts';

const OK_STATUS = 200;

/** The owner's photo with its edit button and the photo editor. */
export function Page() {
  const state = useProfile();
  return state.kind === 'ready' ? <Panel profile={state.profile} /> : null;
}

function Panel({ profile }: { readonly profile: Profile }) {
  const [isOpen, setOpen] = useState(false);
  const [unsure, setUnsure] = useState<Sent | null>(null);
  const [profileImage, show] = useObjectUrl();
  const isRefused = unsure?.outcome.kind === 'answered' && unsure.outcome.status !== OK_STATUS;

  const settle = async (sent: Sent) => {
    if (sent.outcome.kind === 'done') {
      const { profilePhoto } = sent.outcome;
      const now = await loadProfile();
      if (now.kind === 'ready') replaceProfile({ ...now.profile, profilePhoto });
      setUnsure(null);
      show(null);
    } else {
      setUnsure(sent);
      show(sent.image);
    }
    setOpen(false);
  };
  const retry = async ({ image }: Sent) => {
    const outcome = await uploadPhoto({ image });
    if (outcome.kind !== 'lost') await settle({ image, outcome });
  };

  return (
    <div className="photo">
      <div className="photo-frame">
        <Portrait
          profile={profileImage === null ? profile : { ...profile, profilePhoto: profileImage }}
        />
        <IconButton
          name="Edit photo"
          glyph="camera"
          className="photo-edit"
          onClick={() => setOpen(true)}
        />
      </div>
      {isRefused && (
        <div className="photo-unsure">
          <output>This photo may not have been kept.</output>
          <Button look="plain" onClick={() => void retry(unsure)}>
            Try again
          </Button>
        </div>
      )}
      {isOpen && (
        <PhotoDialog onSent={(sent) => void settle(sent)} onClose={() => setOpen(false)} />
      )}
    </div>
  );
}
