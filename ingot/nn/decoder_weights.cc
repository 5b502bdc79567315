// What a decoder's weights weigh, and moving them to a device.
#include "ingot/nn/decoder.h"
#include "ingot/ops/copy/copy.h"

namespace ingot {

namespace {

int64_t bytes_of(const LinearLayer& l) { return l.weight.nbytes() + (l.bias.defined() ? l.bias.nbytes() : 0); }
int64_t bytes_of(const Tensor& t) { return t.defined() ? t.nbytes() : 0; }

// All weights of a layer; with only_used, of the experts just the top_k that a token reads.
int64_t bytes_of(const DecoderLayer& layer, bool only_used) {
  int64_t n = bytes_of(layer.mixer_norm.weight) + bytes_of(layer.ffn_norm.weight);
  if (layer.attention) {
    const AttentionLayer& a = *layer.attention;
    n += bytes_of(a.q) + bytes_of(a.k) + bytes_of(a.v) + bytes_of(a.o) + bytes_of(a.q_norm.weight) +
         bytes_of(a.k_norm.weight);
  }
  if (layer.conv) n += bytes_of(layer.conv->in) + bytes_of(layer.conv->out) + bytes_of(layer.conv->conv);
  if (layer.dense) n += bytes_of(layer.dense->gate) + bytes_of(layer.dense->up) + bytes_of(layer.dense->down);
  if (layer.moe) {
    const Experts& e = layer.moe->experts;
    int64_t one = e.gate[0].nbytes() + e.up[0].nbytes() + e.down[0].nbytes();
    n += layer.moe->router.nbytes() + bytes_of(layer.moe->choice_bias) +
         one * (only_used ? layer.moe->top_k : e.count());
  }
  return n;
}

bool tied(const Decoder& d) { return d.head.bytes.storage() == d.embedding.bytes.storage(); }

void move(Tensor& t, Device device) {
  if (t.defined()) t = to(t, device);
}
void move(LinearLayer& l, Device device) {
  l.weight = l.weight.to(device);
  move(l.bias, device);
}
void move(DecoderLayer& layer, Device device) {
  move(layer.mixer_norm.weight, device);
  move(layer.ffn_norm.weight, device);
  if (layer.attention) {
    AttentionLayer& a = *layer.attention;
    for (LinearLayer* l : {&a.q, &a.k, &a.v, &a.o}) move(*l, device);
    for (NormLayer* n : {&a.q_norm, &a.k_norm}) move(n->weight, device);
  }
  if (layer.conv) {
    for (LinearLayer* l : {&layer.conv->in, &layer.conv->out}) move(*l, device);
    for (Tensor* t : {&layer.conv->conv, &layer.conv->conv_bias}) move(*t, device);
  }
  if (layer.dense)
    for (LinearLayer* l : {&layer.dense->gate, &layer.dense->up, &layer.dense->down}) move(*l, device);
  if (layer.moe) {
    layer.moe->router = layer.moe->router.to(device);
    move(layer.moe->choice_bias, device);
    layer.moe->experts = layer.moe->experts.to(device);
  }
}

}  // namespace

void Decoder::to(Device device) {
  const bool one = tied(*this);
  embedding = embedding.to(device);
  head = one ? embedding : head.to(device);
  move(final_norm.weight, device);
  move(shape.inv_freq, device);
  for (DecoderLayer& layer : layers) move(layer, device);
}

int64_t Decoder::weight_bytes() const {
  int64_t n = embedding.nbytes() + bytes_of(final_norm.weight) + (tied(*this) ? 0 : head.nbytes());
  for (const DecoderLayer& layer : layers) n += bytes_of(layer, false);
  return n;
}

int64_t Decoder::bytes_per_token() const {
  int64_t n = head.nbytes() + bytes_of(final_norm.weight) + row_bytes(embedding.format, embedding.cols);
  for (const DecoderLayer& layer : layers) n += bytes_of(layer, true);
  return n;
}

}  // namespace ingot
