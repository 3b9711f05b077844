import type { FastifyReply } from 'fastify';

import { getFaces, updateFaces } from '#contract/translations.ts';
import type { AppContext } from '#server/context.ts';
import { createDatabaseLane } from '#server/adapter/database/lane.ts';
import { ApiError, sessionInvalidError } from '#server/error.ts';
import { permittedVersions, versionEtag } from '#server/http/negotiation.ts';
import { route } from '#server/http/route.ts';

import { changeFaces, findFaces } from './store.ts';
import type { VersionedFaces } from './store.ts';

/** docs/product.md#faces. */
export function facesRoutes(context: AppContext): void {
  const { settings, dependencies, responses } = context;
  const { database } = dependencies;
  const languages = settings.languages.filter((language) => language !== 'en');
  const saves = createDatabaseLane();

  const shown = ({ faces, version }: VersionedFaces, reply: FastifyReply) => {
    void reply.header('etag', versionEtag(version));
    return {
      faces: languages.flatMap((language) => {
        const face = faces[language];
        return face ? [{ language, ...face }] : [];
      }),
    };
  };

  route(context, getFaces, async ({ caller, reply }) => {
    const found = await findFaces(database, caller.userId);
    if (!found) throw sessionInvalidError();
    return shown(found, reply);
  });

  route(context, updateFaces, async ({ body: { faces }, caller, request, reply }) => {
    const { userId } = caller;
    const other = faces.findIndex(({ language }) => !languages.includes(language));
    if (other >= 0)
      throw new ApiError('invalid_input', `faces.${other}.language must be one of LANGUAGES`);
    const versions = permittedVersions(request.headers['if-match']);
    const change = { userId, faces, languages, versions };
    return shown(
      await saves.run(() => changeFaces({ database, responses }, change), userId),
      reply,
    );
  });
}
