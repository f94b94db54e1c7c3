// The names of source/ that explanations use.
#pragma once

#include "source/questions.hpp"

namespace warpgrade {

using source::Facts;
using source::no_node;
using source::NodeId;
using source::NodeKind;
using source::Tree;

}  // namespace warpgrade
