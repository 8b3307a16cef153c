export function addRoutes(app, user, attempts) {
  // #region backend
  const IN_PROGRESS = ["CREATED", "AUTHORIZING", "EXCHANGING"];

  // `attempts` has the session that POST /connect created for the signed-in user, by the field `launch` of the form.
  app.get("/launches/:launch", async (request, response) => {
    const session = attempts.get(request.params.launch);
    const result = session && (await user.connectResult(session.id).poll());
    response.json({ attempt: result && !IN_PROGRESS.includes(result.status) ? session.id : null });
  });
  // #endregion backend

  // #region pane
  app.get("/launches/:launch/pane", (request, response) => {
    const session = attempts.get(request.params.launch);
    if (session === undefined) return response.sendStatus(404);
    response.redirect(303, new URL(`consent?attempt=${session.id}`, session.launchUrl).href);
  });
  // #endregion pane
}
