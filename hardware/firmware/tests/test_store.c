/* Tests for calibration and settings in the EEPROM. Whichever byte a power cut interrupts, no wrong
 * item is loaded. */
#include <string.h>

#include "crc.h"
#include "eeprom.h"
#include "expect.h"
#include "store.h"

#define SIZE 1024
#define COPY COPY_BYTES(struct calibration)

static uint8_t cells[SIZE];
static int writes;
static int busy;

bool eeprom_ready(void)
{
    return busy == 0 || --busy == 0;
}

uint8_t eeprom_read(uint16_t address)
{
    EXPECT(address < SIZE, "address %d", address);
    EXPECT(busy == 0, "read while writing");
    return cells[address];
}

void eeprom_write(uint16_t address, uint8_t byte)
{
    EXPECT(address < SIZE, "address %d", address);
    EXPECT(busy == 0, "written while writing");
    cells[address] = byte;
    writes++;
    busy = 3;
}

static void power_up(void)
{
    busy = 0;
}

static struct calibration some_calibration(uint32_t seed)
{
    struct calibration calibration;
    for (uint8_t square = 0; square < SQUARES; square++) {
        seed = seed * 1664525 + 1013904223;
        calibration.sensors[square].rest = (int8_t)((seed >> 16) % 31) - 15;
        calibration.sensors[square].threshold = (uint8_t)(100 + (seed >> 24) % 40);
    }
    return calibration;
}

/* Save until `cut` bytes are written and the next byte is untouched. */
static bool save_until(const struct calibration *calibration, int cut, uint16_t *checksum)
{
    struct store_job job;
    store_begin(&job, CALIBRATION, calibration);
    *checksum = job.checksum;
    writes = 0;
    while (writes < cut)
        if (store_step(&job))
            return true;
    return false;
}

static uint16_t save(const struct calibration *calibration)
{
    uint16_t checksum;
    EXPECT(save_until(calibration, SIZE, &checksum), "saved");
    power_up();
    return checksum;
}

static bool same(const struct calibration *one, const struct calibration *other)
{
    return memcmp(one, other, sizeof *one) == 0;
}

static void test_blank_eeprom(void)
{
    static const uint8_t fillings[] = {0xFF, 0x00, 0x01, 0xA5};
    for (size_t i = 0; i < ROWS(fillings); i++) {
        struct calibration loaded = some_calibration(1), before = loaded;
        memset(cells, fillings[i], SIZE);
        EXPECT(store_load(CALIBRATION, &loaded) == 0, "filled with %d", fillings[i]);
        EXPECT(same(&loaded, &before), "unchanged");
    }
}

static void test_latest_copy_is_loaded(void)
{
    memset(cells, 0xFF, SIZE);
    for (uint32_t n = 0; n < 600; n++) {
        struct calibration saved = some_calibration(n), loaded;
        uint16_t checksum = save(&saved);
        EXPECT(checksum != 0, "0 means no copy");
        EXPECT(store_load(CALIBRATION, &loaded) == checksum, "saving %u", n);
        EXPECT(same(&saved, &loaded), "saving %u", n);
    }
}

static void test_only_changed_bytes_are_written(void)
{
    struct calibration same_twice = some_calibration(1);
    memset(cells, 0xFF, SIZE);
    save(&same_twice);
    save(&same_twice);
    save(&same_twice);
    EXPECT(writes <= 4, "%d writes", writes);
}

/* An interrupted write leaves arbitrary contents in a cell, represented by these values. */
static const struct {
    const char *name;
    uint8_t keeps, sets;
} corruptions[] = {
    {"untouched", 0xFF, 0x00}, {"erased", 0x00, 0xFF}, {"all zeros", 0x00, 0x00},
    {"half erased", 0xFF, 0xF0}, {"half written", 0x0F, 0x00}, {"one", 0x00, 0x01},
};

/* Return the cell that the next step would change. */
static int next_cell(const struct calibration *calibration, int cut, const uint8_t *start)
{
    uint8_t before[SIZE];
    uint16_t checksum;
    memcpy(before, cells, SIZE);
    memcpy(cells, start, SIZE);
    power_up();
    bool over = save_until(calibration, cut + 1, &checksum);
    int cell = 0;
    while (cell < SIZE && cells[cell] == before[cell])
        cell++;
    memcpy(cells, before, SIZE);
    return over ? -1 : cell;
}

static void cut_everywhere(const char *name, const struct calibration *old, uint16_t old_checksum,
                           const struct calibration *new)
{
    uint8_t start[SIZE];
    int news = 0, cut = 0;
    memcpy(start, cells, SIZE);
    for (;; cut++) {
        uint16_t checksum;
        memcpy(cells, start, SIZE);
        power_up();
        bool over = save_until(new, cut, &checksum);
        power_up();
        uint8_t stopped[SIZE];
        memcpy(stopped, cells, SIZE);
        int cell = over ? -1 : next_cell(new, cut, start);
        for (size_t corruption = 0; corruption < (cell < 0 ? 1 : ROWS(corruptions)); corruption++) {
            memcpy(cells, stopped, SIZE);
            power_up();
            if (cell >= 0)
                cells[cell] = (cells[cell] & corruptions[corruption].keeps) | corruptions[corruption].sets;
            struct calibration loaded;
            uint16_t found = store_load(CALIBRATION, &loaded);
            bool is_new = found == checksum && same(&loaded, new);
            bool is_old = found == old_checksum && (found == 0 || same(&loaded, old));
            EXPECT(is_new || is_old, "%s: %d bytes written, the next one %s", name, cut,
                   corruptions[corruption].name);
            EXPECT(is_new || !over, "%s: written but not loaded", name);
            news += is_new;

            struct calibration after = some_calibration(77);
            uint16_t after_checksum = save(&after);
            EXPECT(store_load(CALIBRATION, &loaded) == after_checksum && same(&loaded, &after),
                   "%s: not saved after a cut at %d, %s", name, cut, corruptions[corruption].name);
        }
        if (over)
            break;
    }
    EXPECT(cut > 100 && news > 0, "%s: %d bytes", name, cut);
}

static void test_power_cut_leaves_old_or_new_copy(void)
{
    struct calibration first = some_calibration(1), second = some_calibration(2),
                       third = some_calibration(3);
    memset(cells, 0xFF, SIZE);
    cut_everywhere("the first ever", NULL, 0, &first);

    memset(cells, 0xFF, SIZE);
    cut_everywhere("the second", &first, save(&first), &second);

    memset(cells, 0xFF, SIZE);
    save(&first);
    cut_everywhere("the third, over the first", &second, save(&second), &third);

    memset(cells, 0xFF, SIZE);
    for (int i = 0; i < 254; i++)
        save(&first);
    cut_everywhere("at the wrap of generations", &second, save(&second), &third);
}

static void test_corrupt_byte_is_detected(void)
{
    struct calibration old = some_calibration(1), new = some_calibration(2), loaded;
    memset(cells, 0xFF, SIZE);
    uint16_t old_checksum = save(&old);
    save(&new);
    for (unsigned i = 0; i < COPY; i++) {
        cells[COPY + i] ^= 0x10;
        EXPECT(store_load(CALIBRATION, &loaded) == old_checksum && same(&loaded, &old), "byte %u", i);
        cells[COPY + i] ^= 0x10;
    }
}

static void test_calibration_of_another_board_is_ignored(void)
{
    struct calibration calibration = some_calibration(1), loaded;
    memset(cells, 0xFF, SIZE);
    save(&calibration);
    uint16_t crc = CRC_START; /* settings without kind and wiring */
    for (unsigned i = 0; i < COPY - 2; i++)
        crc = crc_add(crc, cells[i]);
    cells[COPY - 2] = (uint8_t)(crc >> 8);
    cells[COPY - 1] = (uint8_t)crc;
    EXPECT(store_load(CALIBRATION, &loaded) == 0, "of another board");
}

static bool save_settings(const struct settings *wanted, int cut)
{
    struct store_job job;
    store_begin(&job, SETTINGS, wanted);
    writes = 0;
    while (writes < cut)
        if (store_step(&job))
            return true;
    return false;
}

static bool in_use(const struct settings *wanted)
{
    return settings.kind == wanted->kind && settings.geometry == wanted->geometry &&
           settings.on_per_cent == wanted->on_per_cent && settings.band_gap_mv == wanted->band_gap_mv;
}

static const struct settings baseline = {COLOURS, BY_HAND, ON_PER_CENT_COLOURS, USUAL_BAND_GAP_MV};
static const struct settings on_tiles = {COLOURS, TILES, 20, 1127};

static void test_default_settings(void)
{
    static const uint8_t fillings[] = {0xFF, 0x00, 0x01, 0xA5};
    for (size_t i = 0; i < ROWS(fillings); i++) {
        memset(cells, fillings[i], SIZE);
        store_load_settings();
        EXPECT(in_use(&baseline), "filled with %d", fillings[i]);
    }
}

static void test_power_cut_while_saving_settings(void)
{
    bool over = false;
    for (int cut = 0; !over; cut++) {
        memset(cells, 0xFF, SIZE);
        over = save_settings(&on_tiles, cut);
        power_up();
        store_load_settings();
        EXPECT(in_use(&on_tiles) || (!over && in_use(&baseline)), "%d bytes written", cut);
    }
    EXPECT(wiring->multiplexers == TILES, "wiring of tiles");
    store_load_settings();
}

static void test_settings_of_another_version_are_ignored(void)
{
    memset(cells, 0xFF, SIZE);
    save_settings(&on_tiles, SIZE);
    power_up();
    uint16_t crc = crc_add(CRC_START, SETTINGS_VERSION + 1);
    for (unsigned i = 0; i < COPY_BYTES(struct settings) - 2; i++)
        crc = crc_add(crc, cells[SETTINGS_AT + i]);
    cells[SETTINGS_AT + COPY_BYTES(struct settings) - 2] = (uint8_t)(crc >> 8);
    cells[SETTINGS_AT + COPY_BYTES(struct settings) - 1] = (uint8_t)crc;
    store_load_settings();
    EXPECT(in_use(&baseline), "not loaded");
}

static void test_calibration_needs_the_same_settings(void)
{
    static const struct settings others[] = {
        {PRESENCE, BY_HAND, ON_PER_CENT_PRESENCE, USUAL_BAND_GAP_MV},
        {COLOURS, TILES, ON_PER_CENT_COLOURS, USUAL_BAND_GAP_MV},
        {COLOURS, BY_HAND, 20, USUAL_BAND_GAP_MV},
    };
    struct calibration calibration = some_calibration(1), loaded;
    settings = baseline;
    memset(cells, 0xFF, SIZE);
    uint16_t checksum = save(&calibration);
    for (size_t i = 0; i < ROWS(others); i++) {
        settings = others[i];
        geometry_use(settings.geometry);
        EXPECT(store_load(CALIBRATION, &loaded) == 0, "row %zu", i);
    }
    settings = baseline;
    settings.band_gap_mv = 1127;
    geometry_use(BY_HAND);
    EXPECT(store_load(CALIBRATION, &loaded) == checksum, "independent of the reference");
}

static void test_without_settings_the_calibration_tells_the_parts(void)
{
    static const struct settings boards[] = {
        {COLOURS, BY_HAND, ON_PER_CENT_COLOURS, USUAL_BAND_GAP_MV},
        {COLOURS, TILES, ON_PER_CENT_COLOURS, USUAL_BAND_GAP_MV},
        {PRESENCE, BY_HAND, ON_PER_CENT_PRESENCE, USUAL_BAND_GAP_MV},
    };
    struct calibration calibration = some_calibration(1);
    for (size_t i = 0; i < ROWS(boards); i++) {
        memset(cells, 0xFF, SIZE);
        power_up();
        EXPECT(!store_load_settings(), "row %zu: nothing is saved", i);
        settings_default(boards[i].kind, boards[i].geometry);
        save(&calibration);
        settings_default(COLOURS, BY_HAND);
        EXPECT(store_load_settings() && in_use(&boards[i]), "row %zu", i);
    }
    EXPECT(wiring->multiplexers == BY_HAND, "wiring by hand");
}

static void test_configure(void)
{
    static const struct {
        struct settings requested, becomes;
        enum configure_result result;
    } rows[] = {
        {{0, 0, 0, 0}, {COLOURS, BY_HAND, 17, 1100}, ACCEPTED},
        {{PRESENCE, 0, 0, 0}, {PRESENCE, BY_HAND, 40, 1100}, ACCEPTED},
        {{COLOURS, TILES, 20, 1250}, {COLOURS, TILES, 20, 1250}, ACCEPTED},
        {{0, 0, 0, 950}, {COLOURS, BY_HAND, 17, 950}, ACCEPTED},
        {{0, 0, 13, 0}, {COLOURS, BY_HAND, 13, 1100}, ACCEPTED},
        {{0, 0, 60, 0}, {COLOURS, BY_HAND, 60, 1100}, ACCEPTED},
        {{3, 0, 0, 0}, {0}, NO_KIND},
        {{0, 9, 0, 0}, {0}, NO_GEOMETRY},
        {{PRESENCE, TILES, 0, 0}, {0}, NO_GEOMETRY},
        {{0, 0, 0, 949}, {0}, NO_BAND_GAP},
        {{0, 0, 0, 1251}, {0}, NO_BAND_GAP},
        {{0, 0, 12, 0}, {0}, NO_SHARE},
        {{0, 0, 61, 0}, {0}, NO_SHARE},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        settings = baseline;
        struct settings requested = rows[i].requested;
        enum configure_result result = settings_complete(&requested);
        EXPECT(result == rows[i].result, "row %zu: %d", i, result);
        if (result != ACCEPTED)
            continue;
        settings = requested;
        EXPECT(in_use(&rows[i].becomes), "row %zu", i);
    }
    settings = baseline;
}

int main(void)
{
    test_blank_eeprom();
    test_latest_copy_is_loaded();
    test_only_changed_bytes_are_written();
    test_power_cut_leaves_old_or_new_copy();
    test_corrupt_byte_is_detected();
    test_calibration_of_another_board_is_ignored();
    test_default_settings();
    test_power_cut_while_saving_settings();
    test_settings_of_another_version_are_ignored();
    test_calibration_needs_the_same_settings();
    test_without_settings_the_calibration_tells_the_parts();
    test_configure();
    return 0;
}
