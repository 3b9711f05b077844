import { Suspense, lazy, useState } from 'react';

import type { Profile } from '#domain/profile.ts';
import { LineIcon } from '#web/shared/ui/line-icon.tsx';

const PhotoEditor = lazy(async () => ({
  default: (await import('#web/shared/photo/photo-editor.tsx')).PhotoEditor,
}));

/** Until there is a photo; then it says that it is saved. */
export function AddPhoto({ profile }: { readonly profile: Profile }) {
  const [presses, setPresses] = useState(0);
  if (profile.profilePhoto !== '' && presses === 0) return null;
  return (
    <div className="my-card-photo">
      {profile.profilePhoto === '' && (
        <button type="button" className="text-button" onClick={() => setPresses(presses + 1)}>
          <LineIcon name="camera" />
          Add a photo
        </button>
      )}
      {presses > 0 && (
        <Suspense>
          <PhotoEditor key={presses} profile={profile} startsOpen />
        </Suspense>
      )}
    </div>
  );
}
