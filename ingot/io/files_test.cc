#include <sys/stat.h>

#include "ingot/io/atomic_file.h"
#include "ingot/io/mapped_file.h"
#include "ingot/io/test_support.h"

namespace ingot {
namespace {

using namespace testing_io;

TEST(MappedFile, MapsWhatIsThere) {
  ScratchFolder folder;
  std::shared_ptr<const MappedFile> file = MappedFile::open(folder.put("a", "hello"));
  EXPECT_EQ(file->size(), 5u);
  EXPECT_EQ(memcmp(file->bytes().data(), "hello", 5), 0);
  file->advise(MappedFile::Advice::kWillNeed);
  file->advise(MappedFile::Advice::kDontNeed, 3, 1000);
  file->advise(MappedFile::Advice::kRandom, 5);
  EXPECT_EQ(memcmp(file->bytes().data(), "hello", 5), 0);
}

TEST(MappedFile, EmptyFileMapsToNoBytes) {
  ScratchFolder folder;
  EXPECT_TRUE(MappedFile::open(folder.put("empty", ""))->bytes().empty());
}

TEST(MappedFile, RefusalsNamePathAndReason) {
  ScratchFolder folder;
  std::string missing = error_of([&] { MappedFile::open(folder.path("nothing")); }, ErrorKind::kIo);
  EXPECT_TRUE(has(missing, "nothing") && has(missing, "No such file")) << missing;
  EXPECT_TRUE(has(error_of([&] { MappedFile::open(folder.path()); }, ErrorKind::kIo), "irectory"));
  error_of([&] { MappedFile::open(std::string("a\0b", 3)); }, ErrorKind::kIo);
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_TRUE(has(error_of([&] { MappedFile::open(folder.path("pipe")); }, ErrorKind::kIo), "regular"));
}

TEST(MappedFile, OutlivesReplacementOfTheFile) {
  ScratchFolder folder;
  std::shared_ptr<const MappedFile> file = MappedFile::open(folder.put("a", "old contents"));
  write_file_atomically(folder.path("a"), "new");
  EXPECT_EQ(memcmp(file->bytes().data(), "old contents", 12), 0);
  EXPECT_EQ(read_file(folder.path("a")), "new");
}

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  ScratchFolder folder;
  folder.put("a", "old");
  {
    AtomicFile file(folder.path("a"));
    file.write("never seen");
    EXPECT_EQ(read_file(folder.path("a")), "old");
  }
  EXPECT_EQ(read_file(folder.path("a")), "old");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(AtomicFile, KeepsOrderOfSmallAndLargeWrites) {
  ScratchFolder folder;
  std::string expected;
  AtomicFile file(folder.path("a"));
  for (size_t size : {size_t{3}, size_t{70000}, size_t{0}, size_t{65536}, size_t{1}, size_t{65535}}) {
    std::string piece(size, static_cast<char>('a' + size % 20));
    file.write(piece);
    expected += piece;
  }
  file.write_zeros(1000);
  expected.append(1000, '\0');
  EXPECT_EQ(file.written(), expected.size());
  file.commit();
  EXPECT_EQ(read_file(folder.path("a")), expected);
  EXPECT_EQ(folder.count(), 1u);
  error_of([&] { file.commit(); }, ErrorKind::kState);
  error_of([&] { file.write("x"); }, ErrorKind::kState);
}

TEST(AtomicFile, KeepsThePermissionsOfTheFileItReplaces) {
  ScratchFolder folder;
  folder.put("a", "old");
  ASSERT_EQ(chmod(folder.path("a").c_str(), 0640), 0);
  write_file_atomically(folder.path("a"), "new");
  struct stat status;
  ASSERT_EQ(stat(folder.path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(AtomicFile, RefusalsNamePathAndReason) {
  ScratchFolder folder;
  std::string message = error_of([&] { AtomicFile(folder.path("no/such/folder")); }, ErrorKind::kIo);
  EXPECT_TRUE(has(message, "no/such/folder") && has(message, "No such file")) << message;
  std::filesystem::create_directory(folder.path("taken"));
  error_of([&] { write_file_atomically(folder.path("taken"), "x"); }, ErrorKind::kIo);
  EXPECT_EQ(folder.count(), 1u);
}

}  // namespace
}  // namespace ingot
