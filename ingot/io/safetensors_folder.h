// A checkpoint folder: one safetensors file, or an index and the shards that it names.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingot/base/export.h"
#include "ingot/io/safetensors.h"

namespace ingot {

class INGOT_API SafetensorsFolder {
 public:
  // Looks for model.safetensors, model.safetensors.index.json, diffusion_pytorch_model.safetensors and its index, in
  // this order. With an index, every shard must be there before any is mapped (one Error kIo names all that are
  // missing), each is opened once, and each tensor of the index must be in the shard that the index gives. Tensors are
  // those of the index; their shapes and dtypes are what the shards say. File names of an index stay inside the folder:
  // absolute paths and ".." are refused.
  static SafetensorsFolder open(const std::string& folder);

  const std::string& path() const { return path_; }
  const std::vector<SafetensorsFile>& files() const { return files_; }
  std::vector<std::string> names() const;  // sorted bytewise
  // Null if absent. The pointer is good while this object, or the file that holds the tensor, lives.
  const SafetensorsTensor* find(std::string_view name) const;
  const SafetensorsTensor& get(std::string_view name) const;  // Error kArgument if absent
  // The file that holds the tensor; Error kArgument if absent.
  const SafetensorsFile& file_of(std::string_view name) const;

 private:
  using Place = std::pair<size_t, const SafetensorsTensor*>;  // index into files_, tensor
  void add_single(const std::string& file);
  void add_index(const std::string& index_file);
  const Place& place_of(std::string_view name) const;

  std::string path_;
  std::vector<SafetensorsFile> files_;
  std::map<std::string, Place, std::less<>> places_;
};

}  // namespace ingot
