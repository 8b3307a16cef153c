import type { Messages } from "./messages.ts";

const START_AGAIN = "元のアプリケーションに戻って、もう一度始めてください。";

export const JA: Messages = {
  errors: {
    tokenSpent: {
      title: "このリンクはすでに使用されています",
      happened: "アカウントを連携するためのリンクは一度しか使えません。このリンクはすでに使用されたか、無効です。",
      whatToDo: START_AGAIN,
    },
    expired: {
      title: "制限時間を過ぎました",
      happened: "アカウントを連携できる時間が過ぎたため、連携は行われませんでした。",
      whatToDo: START_AGAIN,
    },
    foreignOrigin: {
      title: "このページからは連携を開始できません",
      happened: "{origin}からリクエストが送信されましたが、このアドレスはアプリケーションに登録されていません。",
      whatToDo: START_AGAIN,
    },
    missingOrigin: {
      title: "このページからは連携を開始できません",
      happened:
        "ブラウザがリクエスト元のサイトを送信しませんでした。リファラーポリシーが「no-referrer」のページで起こります。開発者は「strict-origin」を設定してください。",
      whatToDo: START_AGAIN,
    },
    malformedForm: {
      title: "このページからは連携を開始できません",
      happened: "アプリケーションのフォームに、ここでは使用できない項目が含まれているため、連携は行われませんでした。",
      whatToDo: START_AGAIN,
    },
    unavailable: {
      title: "現在、連携できません",
      happened: "現在、アプリケーションはこのプロバイダーのアカウントを連携できません。",
      whatToDo: "アプリケーションに戻り、時間をおいてもう一度お試しください。",
    },
    returnUrlRemoved: {
      title: "アプリケーションのページは利用できなくなりました",
      happened: "手続きの間に、戻り先のページがアプリケーションから削除されました。",
      whatToDo: START_AGAIN,
    },
    foreignBrowser: {
      title: "開始したときのブラウザを使用してください",
      happened: "この連携は別のブラウザで開始されたため、ここでは完了できません。連携は行われませんでした。",
      whatToDo: "開始したときのブラウザに戻るか、ここでもう一度始めてください。",
    },
    unknownState: {
      title: "この連携は確認できません",
      happened: "このアドレスに該当する進行中の連携はありません。",
      whatToDo: START_AGAIN,
    },
    stateUsed: {
      title: "この手順はすでに完了しています",
      happened: "プロバイダーからの応答はすでに受信済みです。ここで行う操作はありません。",
      whatToDo: "アプリケーションに戻って結果を確認してください。",
    },
    providerError: {
      title: "プロバイダーの応答が正しくありません",
      happened: "プロバイダーから受け付けられない応答が返されたため、連携は行われませんでした。",
      whatToDo: START_AGAIN,
    },
    unexpected: {
      title: "サービス側で問題が発生しました",
      happened: "この手順を完了できませんでした。",
      whatToDo: "アプリケーションに戻り、1分ほどおいてもう一度お試しください。",
    },
    notFound: {
      title: "ページが見つかりません",
      happened: "このアドレスは存在しません。",
      whatToDo: "アドレスを確認するか、元のアプリケーションに戻ってください。",
    },
  },
  back: "{application}に戻る",
  service: "{host}は{application}のためにアカウントを連携します。",
  support: "ヘルプ",
  privacy: "プライバシーについて",
  pane: {
    title: "{application}がアカウントの読み取りを求めています",
    next: "次のステップで、{host}が許可を求めます。",
    readTitle: "読み取る情報",
    capabilities: {
      PROFILE: "プロフィール：名前、ユーザー名、画像、自己紹介",
      CONTENT_LIST: "投稿：タイトル、説明、プレビュー画像",
      CONTENT_LOOKUP: "アドレスを指定した個別の投稿",
      CONTENT_METRICS: "投稿の表示回数、「いいね」、コメント、共有の数",
    },
    readOnly: "投稿や変更は一切行いません。",
    retentionTitle: "保存期間",
    retention: { other: "プロフィールと各投稿は、最後に読み取ってから{count}日後に削除されます。" },
    erased: "アカウントの連携を解除すると、読み取った情報はすべて削除されます。",
    revokeTitle: "連携を解除するには",
    revoke: "{application}でアカウントの連携を解除するか、{host}のアカウント設定でアプリを削除してください。",
    button: "{host}に進む",
    deadline: { other: "残り時間は{count}分です（{time}まで）。" },
  },
  deletion: {
    title: "データの削除",
    requested: "受付日時：{time}",
    nothingHeld: "お使いのアカウントについて保存されている情報はありませんでした。",
    erased: "お使いのアカウントについて保存されていた情報は、{time}にすべて削除されました。",
    remaining: {
      other:
        "連携しているアカウント{count}件のデータを削除しています。しばらくしてから、このページをもう一度開いてください。",
    },
    erasedTitle: "削除されたもの",
    connections: { other: "連携アカウント{count}件（プロフィールと読み取りの許可を含む）" },
    posts: { other: "投稿{count}件（その数値を含む）" },
    appMayRemain:
      "許可をここから取り消すことはできませんでした。アカウントの設定にアプリがまだ表示されている場合は、そこで削除してください。",
    available: "このページは{time}まで表示できます。",
    unknownTitle: "このコードの削除依頼は見つかりません",
    unknown: { other: "アドレスが不完全であるか、依頼から{count}日以上が経過しています。" },
  },
};
