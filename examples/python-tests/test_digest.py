"""The digest's tests: the application as it is, against `social-connect-mocks serve`."""

import unittest
from datetime import timedelta

from digest import Digest, NoAnswer, Service, ServiceError
from mock import Browser, Mock


class DigestTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.mock = Mock()
        cls.addClassCleanup(cls.mock.stop)

    def setUp(self):
        self.mock.post("reset")
        service = Service(
            self.mock.base_url, self.mock.key, {"tenantKey": self.mock.tenant, "externalSubjectId": "mara"}
        )
        # Moves the mock's clock where the application would wait.
        self.digest = Digest(service, self.mock.return_url, sleep=self.mock.advance)

    def consent(self, decision="allow", account="harbor-workshop", provider="PROVIDER_A"):
        browser = Browser(self.mock.return_url)
        browser.launch(*self.digest.begin(provider))
        self.assertTrue(browser.press(decision, account).startswith(self.mock.return_url))
        return self.digest.finish()

    # region consent
    def test_a_creator_who_allows_it_on_the_consent_page_is_linked(self):
        browser = Browser(self.mock.return_url)
        browser.launch(*self.digest.begin())
        browser.press("allow", account="harbor-workshop")
        self.assertEqual(self.digest.finish(), "linked")
        self.assertEqual(self.mock.get(f"connections/{self.digest.connection}")["account"], "harbor-workshop")

    def test_consent_denied(self):
        self.assertEqual(self.consent("deny"), "USER_DENIED")
        self.assertEqual(self.mock.get("connections"), [])

    # endregion consent

    def test_an_attempt_that_nobody_finishes_ends_after_ten_minutes(self):
        self.digest.begin()
        self.mock.advance(600)
        self.assertEqual(self.digest.finish(), "DEADLINE_PASSED")

    def test_a_test_may_decide_without_a_browser(self):
        self.digest.begin()
        (call,) = self.mock.calls("createConnectSession")
        self.assertEqual(call["outcome"], "OK")
        self.mock.post(f"connect/{self.digest._attempt}/complete", account="channel-1")
        self.assertEqual(self.digest.finish(), "linked")

    def test_the_week_has_what_was_published_in_it(self):
        self.consent()
        self.mock.post("accounts/PROVIDER_A/harbor-workshop/posts", title="Our new oven")
        self.mock.advance(60)
        titles, complete = self.digest.titles(self.mock.now())
        self.assertEqual(titles[0], "Our new oven")
        self.assertTrue(complete)

    def test_reconnect(self):
        self.consent()
        before = self.digest.connection
        self.mock.post(f"connections/{before}/lose-grant")
        self.assertEqual(self.digest.titles(self.mock.now()), ([], False))
        self.assertTrue(self.digest.needs_consent)
        self.assertEqual(self.consent(account="night-trains"), "ACCOUNT_MISMATCH")
        self.assertEqual(self.consent(), "linked")
        self.assertEqual(self.digest.connection, before)

    def test_partial_scan_is_gone_on_with_until_all_is_read(self):
        # Every two hours a post, and a scan reads 100 of them.
        self.consent(account="thousand-posts")
        self.mock.post("settle")
        titles, complete = self.digest.titles(self.mock.now(), days=21)
        self.assertTrue(complete)
        self.assertGreater(len(titles), 200)
        self.assertEqual(len(self.mock.calls("requestRefresh")), 3)

    def test_partial_scan_with_which_there_is_no_going_on_is_said_to_be_one(self):
        # Instagram lists the newest 10,000 posts only, which are of less than 88 days.
        self.consent(account="ten-thousand-posts", provider="PROVIDER_C")
        titles, complete = self.digest.titles(self.mock.now() - timedelta(days=87), days=3)
        self.assertFalse(complete)
        self.assertGreater(len(titles), 10)

    # region rate-limit
    def test_rate_limit_is_waited_out_for_as_long_as_the_service_says(self):
        self.consent()
        self.mock.post("settle")
        fault = {"code": "RATE_LIMITED", "retryAfterSeconds": 90}
        self.mock.post("faults", operation="requestRefresh", times=1, fault=fault)
        began = self.mock.now()
        _, complete = self.digest.titles(began)
        self.assertTrue(complete)
        self.assertGreaterEqual((self.mock.now() - began).total_seconds(), 90)

    # endregion rate-limit

    def test_lost_answer_to_an_attempt_is_told_and_the_next_press_begins_anew(self):
        self.mock.post("faults", operation="createConnectSession", times=1, fault={"drop": "after"})
        with self.assertRaises(NoAnswer):
            self.digest.begin()
        self.assertEqual(len(self.mock.calls("createConnectSession")), 1)
        self.assertEqual(self.consent(), "linked")

    def test_lost_answer_to_a_refresh_begins_no_second_job(self):
        self.consent()
        self.mock.post("settle")
        self.mock.post("faults", operation="requestRefresh", times=1, fault={"malformed": True})
        self.digest.titles(self.mock.now())
        jobs = self.mock.get(f"jobs?connectionId={self.digest.connection}")
        self.assertEqual(len([job for job in jobs if job["kind"] == "SCAN" and not job["background"]]), 1)

    def test_disconnect_gives_the_consent_back(self):
        self.consent()
        self.assertTrue(self.digest.leave())

    def test_disconnect_where_the_person_has_to_remove_the_app(self):
        self.consent(account="linen-and-clay", provider="PROVIDER_C")
        self.assertFalse(self.digest.leave())

    def test_a_disabled_application_is_told_so(self):
        application = self.mock.get("application")["id"]
        self.mock.post(f"applications/{application}/disable")
        with self.assertRaises(ServiceError) as refused:
            self.digest.begin()
        self.assertEqual(refused.exception.code, "FORBIDDEN")

    def test_a_test_that_asks_for_the_impossible_is_told_what_was_possible(self):
        self.consent("deny")
        with self.assertRaisesRegex(ValueError, "DENIED and cannot be completed"):
            self.mock.post(f"connect/{self.digest._attempt}/complete")


if __name__ == "__main__":
    unittest.main()
