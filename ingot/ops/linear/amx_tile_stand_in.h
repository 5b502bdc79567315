// AMX tiles in plain C++, for tests only: what the instructions do to one thread's tiles, step by step.
#pragma once
#include <cstring>

#include "ingot/base/error.h"
#include "ingot/base/small_floats.h"
#include "ingot/ops/linear/amx_tile.h"

namespace ingot {

struct StandInTiles {
  struct State {
    TileConfig config;
    bool configured = false;
    uint8_t tile[8][16][64];
  };
  static State& state() {
    static thread_local State s;
    return s;
  }
  static void require(bool ok) {
    if (!ok) fail(ErrorKind::kState, "amx stand-in", "tiles used against their configuration");
  }

  static void configure(const TileConfig& c) {
    for (int t = 0; t < 8; t++) require(c.rows[t] <= 16 && c.row_bytes[t] <= 64 && c.row_bytes[t] % 4 == 0);
    state() = {};
    state().config = c;
    state().configured = true;
    memset(state().tile, 0, sizeof state().tile);
  }
  static void release() { state().configured = false; }

  template <int T>
  static void zero() {
    require(state().configured && state().config.rows[T] > 0);
    memset(state().tile[T], 0, sizeof state().tile[T]);
  }
  template <int T>
  static void load(const void* p, int64_t stride) {
    State& s = state();
    require(s.configured && s.config.rows[T] > 0);
    memset(s.tile[T], 0, sizeof s.tile[T]);
    for (int r = 0; r < s.config.rows[T]; r++) {
      memcpy(s.tile[T][r], static_cast<const uint8_t*>(p) + r * stride, s.config.row_bytes[T]);
    }
  }
  template <int T>
  static void store(void* p, int64_t stride) {
    State& s = state();
    require(s.configured && s.config.rows[T] > 0);
    for (int r = 0; r < s.config.rows[T]; r++) {
      memcpy(static_cast<uint8_t*>(p) + r * stride, s.tile[T][r], s.config.row_bytes[T]);
    }
  }
  template <int C, int A, int B>
  static void dot_bf16() {
    State& s = state();
    require(s.configured && s.config.rows[C] == s.config.rows[A] && s.config.row_bytes[C] == s.config.row_bytes[B] &&
            s.config.row_bytes[A] == 4 * s.config.rows[B]);
    for (int i = 0; i < s.config.rows[C]; i++) {
      for (int p = 0; p < s.config.rows[B]; p++) {
        for (int j = 0; j < s.config.row_bytes[C] / 4; j++) {
          float sum;
          memcpy(&sum, s.tile[C][i] + 4 * j, 4);
          for (int h = 0; h < 2; h++) {
            uint16_t a, b;
            memcpy(&a, s.tile[A][i] + 4 * p + 2 * h, 2);
            memcpy(&b, s.tile[B][p] + 4 * j + 2 * h, 2);
            sum += bfloat_to_float(a) * bfloat_to_float(b);
          }
          memcpy(s.tile[C][i] + 4 * j, &sum, 4);
        }
      }
    }
  }
};

}  // namespace ingot
