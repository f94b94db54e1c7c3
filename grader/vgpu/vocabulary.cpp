// The words of PTX (manual, "Instructions" and "Special Registers", up to version 9.0), to tell what the virtual GPU
// does not have yet from what is no PTX at all. Whoever writes the latter into an asm() has to mend it.
#include <string_view>
#include <unordered_set>

#include "vgpu/operand_forms.hpp"

namespace warpgrade::vgpu {

namespace {

constexpr std::string_view kOpcodes =
    "abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk bra brev brkpt brx call "
    "clusterlaunchcontrol clz cnot copysign cos cp createpolicy cvt cvta discard div dp2a dp4a elect ex2 exit "
    "fence fma fns getctarank griddepcontrol isspacep istypep ld ldmatrix ldu lg2 lop3 mad mad24 madc mapa match "
    "max mbarrier membar min mma mov movmatrix mul mul24 multimem nanosleep neg not or pmevent popc prefetch "
    "prefetchu prmt rcp red redux rem ret rsqrt sad selp set setmaxnreg setp shf shfl shl shr sin slct sqrt st "
    "stackrestore stacksave stmatrix sub subc suld suq sured sust szext tanh tcgen05 tensormap testp tex tld4 "
    "trap txq vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vadd4 vavrg2 vavrg4 vmad vmax vmax2 vmax4 vmin vmin2 vmin4 "
    "vote vset vset2 vset4 vshl vshr vsub vsub2 vsub4 wgmma wmma xor ";

constexpr std::string_view kModifiers =
    "NaN a abs acq_rel acquire acube add addr_mode_0 addr_mode_1 addr_mode_2 after_thread_sync alias aligned all "
    "alloc and any approx array_size arrive arrive_drop ashift async b b0 b1 b1024 b128 b16 b2 b3 b32 b4e "
    "b4x16_p64 b64 b6x16_p32 b8 b8x16 ballot base before_thread_sync bf16 bf16x2 bfly block16 block32 block_scale "
    "box_dim bulk bulk_group byte bytemask c ca cancel cas cc cg channel_data_type channel_order clamp cluster "
    "col commit commit_group complete_tx const cp cp_fenceproxy cp_mask cs cta cube cv cvt d dealloc dec "
    "decompress depth down ecl ecr element_stride elemtype en eq equ evict_first evict_last evict_normal "
    "evict_unchanged exch expect_tx f16 f16x2 f32 f32x2 f4e f64 fence fill_mode filter_mode finite fractional "
    "from ftz full g gather4 ge get_first_ctaid geu gl global global_address global_dim global_stride gpu grad gt "
    "gtu height hi hs idx ignore_oob ignore_src im2col im2col_no_offs inc infinite init interleave_layout inval "
    "is_canceled l launch_dependents ld ld_reduce le leu level lo load local ls lt ltu lu max maxabs mbarrier "
    "mbarrier_init memory_layout min mma mma_async mmio mul multicast nan nc ne neu noComplete no_allocate "
    "no_membermask_overlap noftz noinc normal normalized_coords notanumber num num_mipmap_levels num_samples "
    "number oob or p pack param parity pending_count po popc pred prefetch proxy query_cancel r range rank rc16 rc8 "
    "read red reduce relaxed release relinquish_alloc_permit relu replace rm rmi rn rna rni row rp rpi rs rz rzi "
    "s16 s16x2 s2 s32 s4 s64 s8 safeadd samplerref sat satfinite sc scaled sel shared shift shiftamt shr15 shr7 "
    "sp st store subnormal surfref swizzle_atomicity swizzle_mode sync sys tensor tensormap test_wait tex texref "
    "tf32 tile to trans trap try_cancel try_wait tx_count u16 u16x2 u2 u32 u4 u64 u8 ue4m3 ue8m0 ue8m0x2 uni "
    "unified up volatile wait wait_all wait_group warp warpgroup warpx4 wb weak wide width wrap write wt xor "
    "xorsign zero ";

constexpr std::string_view kSpecialRegisters =
    "aggr_smem_size clock clock64 clock_hi cluster_ctaid cluster_ctarank cluster_nctaid cluster_nctarank clusterid "
    "ctaid current_graph_exec dynamic_smem_size globaltimer globaltimer_hi globaltimer_lo gridid is_explicit_cluster "
    "laneid lanemask_eq lanemask_ge lanemask_gt lanemask_le lanemask_lt nclusterid nctaid nsmid ntid nwarpid "
    "reserved_smem_offset_0 reserved_smem_offset_1 reserved_smem_offset_begin reserved_smem_offset_cap "
    "reserved_smem_offset_end smid tid total_smem_size warpid ";

using Words = std::unordered_set<std::string_view>;

Words words_of(std::string_view text) {
    Words words;
    while (!text.empty()) {
        const std::size_t end = text.find(' ');
        words.insert(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    return words;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Scoped words (`L2::cache_hint`), shapes of matrices (`m64n8k16`, `16x64b`) and narrow floats (`e4m3x2`) are too many
// to list.
bool is_scoped_or_shape(std::string_view word) {
    return word.find("::") != std::string_view::npos || is_digit(word[0]) ||
           (word.size() > 1 && is_digit(word[1]) &&
            std::string_view("mxveLahk").find(word[0]) != std::string_view::npos);
}

}  // namespace

std::string unknown_word(const ptx::Instruction& instruction) {
    static const Words opcodes = words_of(kOpcodes), modifiers = words_of(kModifiers);
    if (!opcodes.contains(instruction.opcode)) return "PTX has no instruction `" + shown(instruction.opcode) + "`";
    for (const std::string& word : instruction.modifiers)
        if (!is_scoped_or_shape(word) && !modifiers.contains(word)) return "PTX has no `." + shown(word) + "`";
    return {};
}

bool is_special_register(std::string_view name) {
    static const Words registers = words_of(kSpecialRegisters);
    if (name.starts_with('%')) name.remove_prefix(1);
    if (name.starts_with("envreg") || name.starts_with("pm")) return true;       // %envreg<32>, %pm<8>, %pm<8>_64
    if (name.size() > 2 && name[name.size() - 2] == '.') name.remove_suffix(2);  // .x .y .z .w
    return registers.contains(name);
}

}  // namespace warpgrade::vgpu
