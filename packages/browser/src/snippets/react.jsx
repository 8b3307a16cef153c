// #region react
import { ConnectButton } from "@social-connect/browser/react";
import { useState } from "react";

export function Accounts() {
  const [attempt, setAttempt] = useState(null);
  return (
    <>
      <ConnectButton
        action="/connect"
        fields={{ provider: "PROVIDER_A" }}
        onOutcome={(outcome) => {
          if (outcome.type === "returned") setAttempt(outcome.sessionId);
        }}
      >
        Connect
      </ConnectButton>
      {attempt !== null && <Result attempt={attempt} />}
    </>
  );
}
// #endregion react

function Result({ attempt }) {
  const [text, setText] = useState("");
  fetch(`/attempts/${encodeURIComponent(attempt)}`)
    .then((response) => response.json())
    .then(({ status }) => setText(`The attempt is ${status}.`));
  return <output>{text}</output>;
}
