// SPDX-License-Identifier: MIT
#include "grade/journal.h"

#include <algorithm>

#include "catch.h"
#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "grade/nonce.h"
#include "runtime/tests/test_files.h"

namespace convkit {
namespace {

CaseRecord record_of(const std::string& name, bool hidden, bool final = false) {
  CaseRecord record;
  record.result.name = name;
  record.result.hidden = hidden;
  record.result.status = Status::wrong;
  record.result.left_out = LeftOut::given_up;
  record.result.message = "said \xff twice";  // not UTF-8
  Guess guess{"network", "relu1 is left out.", "Look.", Guess::Basis::program};
  guess.function = "relu_forward";
  guess.cause = "ReLU: left out";
  guess.of_two = true;
  guess.weight.values = 5;
  record.result.symptoms = {"facts", "hint", "map", {guess}, true, {"relu_forward"}};
  record.final = final;
  record.notes = {"a note"};
  record.run_s = 0.1;
  record.charged_s = 0.05;
  record.memory.given_up["f"] = "because";
  record.memory.slow_crashes["g"] = 2;
  record.checked = {{"f", "h"}, {{"g", "slow"}, {"", "no time"}}};
  return record;
}

TEST_CASE("a journal gives back what it was given") {
  const test::TemporaryFolder folder;
  const auto file = folder / "journal";
  SpeedResult speed;
  speed.name = "small";
  speed.status = Status::slow;
  speed.points = 1.0 / 3;
  speed.pairs = 7;
  {
    Journal journal(file);
    journal.open({{{"device", "cpu"}, {"sandbox", "none"}}, "abc", "now"});
    journal.of("01_a").add(0, record_of("kept", false));
    journal.of("01_a").add(1, record_of("last", false));
    journal.of("01_a").add(speed);
  }
  Journal journal(file);
  const auto head = journal.read();
  REQUIRE(head);
  CHECK(head->grading == GradingIdentity{{"device", "cpu"}, {"sandbox", "none"}});
  CHECK((head->nonce == "abc" && head->started == "now"));
  const CaseRecord* kept = journal.of("01_a").known(0);
  REQUIRE(kept);
  CHECK(kept->result.name == "kept");
  CHECK((kept->result.status == Status::wrong && kept->result.left_out == LeftOut::given_up));
  CHECK(kept->result.message == "said \xef\xbf\xbd twice");
  const Symptoms symptoms = record_of("", false).result.symptoms;
  CHECK(kept->result.symptoms.guesses == symptoms.guesses);
  CHECK(kept->result.symptoms.layers == symptoms.layers);
  CHECK((kept->result.symptoms.facts == "facts" && kept->result.symptoms.complete));
  CHECK(kept->notes == std::vector<std::string>{"a note"});
  CHECK(kept->run_s == 0.1);
  CHECK(kept->charged_s == 0.05);
  CHECK(kept->memory.given_up.at("f") == "because");
  CHECK(kept->memory.slow_crashes.at("g") == 2);
  const CheckRun::Memory checked = record_of("", false).checked;
  CHECK((kept->checked.at_fault == checked.at_fault && kept->checked.notes == checked.notes));
  const SpeedResult* timed = journal.of("01_a").known_speed("small");
  REQUIRE(timed);
  CHECK((timed->points == 1.0 / 3 && timed->pairs == 7 && timed->status == Status::slow));
  CHECK_FALSE(journal.of("02_b").known(0));
}

// A reply that a case has forged is noticed at the next request of its side.
TEST_CASE("the last case of either side is open unless it is final") {
  const test::TemporaryFolder folder;
  const auto file = folder / "journal";
  {
    Journal journal(file);
    journal.open({});
    StageJournal& stage = journal.of("01_a");
    stage.add(0, record_of("visible", false));
    stage.add(1, record_of("last visible", false));
    stage.add(2, record_of("hidden", true));
    stage.add(3, record_of("last hidden", true));
    stage.add(4, record_of("training", false, true));
  }
  Journal journal(file);
  REQUIRE(journal.read());
  std::vector<size_t> known;
  for (size_t i = 0; i < 6; ++i) {
    if (journal.of("01_a").known(i)) known.push_back(i);
  }
  CHECK(known == std::vector<size_t>{0, 2, 4});
}

TEST_CASE("a journal goes on behind its last whole line") {
  const test::TemporaryFolder folder;
  const auto file = folder / "journal";
  {
    Journal journal(file);
    journal.open({{{"device", "cpu"}}, "n", "s"});
    journal.of("01_a").add(0, record_of("a", false, true));
  }
  const std::string whole = file_text(file);
  test::write_text(file, whole + "{\"stage\": \"01_a\", \"ind");
  {
    Journal journal(file);
    const auto head = journal.read();
    REQUIRE(head);
    journal.open(*head);
    CHECK(file_text(file) == whole);
    journal.of("01_a").add(1, record_of("b", false, true));
  }
  Journal journal(file);
  REQUIRE(journal.read());
  CHECK((journal.of("01_a").known(0) && journal.of("01_a").known(1)));
  journal.remove();
  CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("a file that is no journal is begun anew") {
  const test::TemporaryFolder folder;
  test::write_text(folder / "journal", "{\"schema\": \"of something else\"}\n");
  Journal journal(folder / "journal");
  CHECK_FALSE(journal.read());
  journal.open({{{"device", "cpu"}}, "n", "s"});
  CHECK(std::ranges::count(file_text(folder / "journal"), '\n') == 1);
}

TEST_CASE("a nonce is drawn, given, or taken from a result") {
  const Nonce drawn = draw_nonce();
  CHECK(drawn.digits.size() == 64);
  CHECK(drawn.digits != draw_nonce().digits);
  CHECK(nonce_of(drawn.digits).digits == drawn.digits);
  CHECK(nonce_of(drawn.digits).sha256.empty());
  const test::TemporaryFolder folder;
  const auto file = folder / "result.json";
  test::write_text(file,
                   "{\"nonce\": \"" + drawn.digits + "\", \"submission\": {\"sha256\": \"abc\"}}");
  CHECK(nonce_of(file.string()).digits == drawn.digits);
  CHECK(nonce_of(file.string()).sha256 == "abc");
  test::write_text(file, "{\"nonce\": \"\", \"submission\": {\"sha256\": \"abc\"}}");
  for (const std::string& wrong : {file.string(), (folder / "none").string(), std::string("12ab"),
                                   drawn.digits + "0", std::string(64, 'G')}) {
    CHECK_THROWS_AS(nonce_of(wrong), UsageError);
  }
}

}  // namespace
}  // namespace convkit
