"""web/src/messages.ts has the messages of the service, and nothing else."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))

import make_page_messages  # noqa: E402 (needs the path above)


class PageMessagesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = make_page_messages.messages()

    def test_the_page_has_the_messages_of_the_service(self):
        self.assertEqual(make_page_messages.OUTPUT.read_text(encoding="utf-8"), self.text,
                         "scripts/page writes it anew")

    def test_each_kind_of_field_is_as_json_has_it(self):
        for line in (
                "  jobId?: string;",
                "  state?: Trial.State;",
                "  export type State = 'REQUESTED' | 'ACTIVE' | 'STOPPING' | 'COMPLETED' | "
                "'STOPPED' | 'INFEASIBLE' | 'FAILED';",
                "  attempts?: Attempt[];",
                "  finalMetrics?: Record<string, Double>;",
                "  createTime?: string;",
                "  maxRunningTime?: string;",  # A duration.
                "  defaultValue?: unknown;",
                "  points?: Record<string, unknown>[];",  # Structs.
                "export type DeleteStudyResponse = Record<string, never>;",
                "    GetTrial: [GetTrialRequest, Trial];"):
            self.assertIn("\n" + line + "\n", self.text)

    def test_a_number_of_64_bits_may_be_sent_as_a_number_and_is_answered_as_a_text(self):
        def member_of(name, member):
            body = re.search(rf"(?s)interface {name} {{\n(.*?)\n}}", self.text)[1]
            return re.search(rf"  {member}\?: (.*);", body)[1]
        self.assertEqual(member_of("GetTrialRequest", "trialId"), "Int64 | number")
        self.assertEqual(member_of("ListClientTrialsRequest", "trialIds"), "(Int64 | number)[]")
        self.assertEqual(member_of("Trial", "trialId"), "Int64")

    def test_streams_and_other_services_are_left_out(self):
        self.assertNotIn("WatchEvents", self.text)
        self.assertNotIn("Token", re.sub("pageToken|nextPageToken", "", self.text))


if __name__ == "__main__":
    unittest.main()
