// INGOT_API marks what libingot.so exports; everything else is hidden.
#pragma once
#define INGOT_API __attribute__((visibility("default")))
