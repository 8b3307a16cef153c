export function addRoutes(app, user, attempts) {
  // #region backend
  const IN_PROGRESS = ["CREATED", "AUTHORIZING", "EXCHANGING"];

  // `attempts` has what POST /connect stored for the signed-in user: the attempt's id by the field `launch` of the form.
  app.get("/launches/:launch", async (request, response) => {
    const attempt = attempts.get(request.params.launch);
    const result = attempt && (await user.connectResult(attempt).poll());
    response.json({ attempt: result && !IN_PROGRESS.includes(result.status) ? attempt : null });
  });
  // #endregion backend
}
